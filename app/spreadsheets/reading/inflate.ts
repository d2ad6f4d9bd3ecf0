import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { readExactly, type ZipEntry } from '#spreadsheets/reading/zip_directory'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const CHUNK_BYTES = 64 * 1024

/**
 * Unpacks one part of a zip file in pieces. Leaving the loop closes the file. A part that is larger than it
 * declared is a bomb; one that is smaller or whose sum differs is broken.
 */
export async function* inflate(path: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  let [bytes, sum] = [0, 0]
  for await (const chunk of await partOf(path, entry)) {
    bytes += chunk.length
    if (bytes > entry.inflatedBytes) throw new UnreadableTable('zip_bomb')
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (bytes !== entry.inflatedBytes || sum !== entry.crc32) throw new UnreadableTable('broken_zip')
}

async function partOf(path: string, entry: ZipEntry): Promise<AsyncIterable<Buffer>> {
  if (entry.packedBytes === 0) return (async function* () {})()
  const start = await startOf(path, entry)
  const packed = createReadStream(path, { start, end: start + entry.packedBytes - 1 })
  if (entry.method === 'stored') return readingSafely(packed)
  // The pipeline ends both streams whichever fails or is left first; the reader below hears of it.
  const unpacked = pipeline(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {})
  return readingSafely(unpacked)
}

async function* readingSafely(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream
  } catch (error) {
    if (isOfPacking(error)) throw new UnreadableTable('broken_zip')
    throw error
  }
}

function isOfPacking(error: unknown) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

async function startOf(path: string, { offset }: ZipEntry) {
  const file = await open(path)
  try {
    const header = await readExactly(file, offset, LOCAL_HEADER_BYTES)
    if (header.readUInt32LE(0) !== LOCAL_HEADER) throw new UnreadableTable('broken_zip')
    return offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    await file.close()
  }
}
