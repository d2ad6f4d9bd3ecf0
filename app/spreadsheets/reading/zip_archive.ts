import { crc32 } from 'node:zlib'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import type { TableLimits } from '#spreadsheets/table_source'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

export interface ZipPart {
  name: string
  entry: Entry
}

/** Parts by their names, in the order of the archive's directory. */
export type ZipDirectory = ReadonlyMap<string, ZipPart>

const MAX_PARTS = 2_000
/** Names, extra fields and comments of all parts together. */
const MAX_DIRECTORY_BYTES = 1024 * 1024
const RATIO_MATTERS_FROM = 10 * 1024 * 1024
const METHODS = [0, 8]

/**
 * Reads what a zip file declares about its parts, unpacks none, and refuses what is declared as a bomb. `unpackPart`
 * then holds every part to its declaration: yauzl reads the format, limits and sums are ours. Throws `UnreadableTable`.
 */
export async function readZipDirectory(path: string, limits: TableLimits): Promise<ZipDirectory> {
  const parts = await withZip(path, readParts)
  assertNoBomb(parts, limits)
  assertNoOverlap(parts)
  const directory = new Map(parts.map((part) => [part.name, part]))
  if (directory.size !== parts.length) throw new UnreadableTable('broken_zip')
  return directory
}

async function readParts(zip: ZipFile): Promise<ZipPart[]> {
  if (zip.entryCount > MAX_PARTS) throw new UnreadableTable('zip_bomb')
  const parts: ZipPart[] = []
  let directoryBytes = 0
  for await (const entry of zip.eachEntry()) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (directoryBytes > MAX_DIRECTORY_BYTES) throw new UnreadableTable('zip_bomb')
    if (entry.isEncrypted()) throw new UnreadableTable('encrypted')
    if (!METHODS.includes(entry.compressionMethod)) throw new UnreadableTable('broken_zip')
    if (entry.relativeOffsetOfLocalHeader + entry.compressedSize > zip.fileSize)
      throw new UnreadableTable('broken_zip')
    parts.push({ name: nameOf(entry), entry })
  }
  return parts
}

/** Some writers use backslashes or a leading slash, which yauzl itself would refuse. */
const nameOf = ({ fileNameRaw }: Entry) =>
  fileNameRaw.toString('utf8').replaceAll('\\', '/').replace(/^\/+/, '')

/**
 * Unpacks one part in pieces. Leaving the loop closes the file. A part that is larger than it declared is a bomb;
 * one that is smaller or whose sum differs is broken. Throws `UnreadableTable`.
 */
export async function* unpackPart(path: string, { entry }: ZipPart): AsyncGenerator<Buffer> {
  const zip = await open(path)
  try {
    let bytes = 0
    let sum = 0
    const stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > entry.uncompressedSize) throw new UnreadableTable('zip_bomb')
      sum = crc32(chunk, sum)
      yield chunk
    }
    if (bytes !== entry.uncompressedSize || sum !== entry.crc32)
      throw new UnreadableTable('broken_zip')
  } catch (error) {
    throw problemOf(error)
  } finally {
    zip.close()
  }
}

async function withZip<Result>(path: string, work: (zip: ZipFile) => Promise<Result>) {
  const zip = await open(path)
  try {
    return await work(zip)
  } catch (error) {
    throw problemOf(error)
  } finally {
    zip.close()
  }
}

/** Names stay bytes and sizes are checked here, because both have a verdict of ours. */
async function open(path: string) {
  try {
    return await openPromise(path, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    })
  } catch (error) {
    throw problemOf(error)
  }
}

/** What yauzl and zlib say about the content is the archive's fault; what the file system says is not. */
function problemOf(error: unknown) {
  if (error instanceof UnreadableTable) return error
  const isOfFileSystem = error instanceof Error && 'syscall' in error
  return isOfFileSystem ? error : new UnreadableTable('broken_zip')
}

function assertNoBomb(parts: ZipPart[], limits: TableLimits) {
  let total = 0
  for (const { entry } of parts) {
    const { compressedSize, uncompressedSize } = entry
    total += uncompressedSize
    const isInflated = uncompressedSize > compressedSize * limits.inflationRatio
    if (isInflated && uncompressedSize > RATIO_MATTERS_FROM) throw new UnreadableTable('zip_bomb')
  }
  if (total > limits.inflatedBytes) throw new UnreadableTable('zip_bomb')
}

/** Parts that share their bytes are how a small file declares modest parts and unpacks into a large whole. */
function assertNoOverlap(parts: ZipPart[]) {
  const entries = parts.map(({ entry }) => entry)
  const inOrder = entries.toSorted(
    (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader
  )
  let free = 0
  for (const { relativeOffsetOfLocalHeader: offset, compressedSize } of inOrder) {
    if (offset < free) throw new UnreadableTable('zip_bomb')
    free = offset + compressedSize
  }
}
