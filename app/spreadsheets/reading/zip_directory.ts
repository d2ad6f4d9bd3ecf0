import { open, type FileHandle } from 'node:fs/promises'
import type { TableLimits } from '#spreadsheets/table_source'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

export interface ZipEntry {
  name: string
  method: 'stored' | 'deflated'
  crc32: number
  packedBytes: number
  inflatedBytes: number
  /** Where its local header begins in the file. */
  offset: number
}

export type ZipDirectory = ReadonlyMap<string, ZipEntry>

const END = 0x06054b50
const END_BYTES = 22
const END64_LOCATOR = 0x07064b50
const END64 = 0x06064b50
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const MAX_COMMENT = 0xffff
const MAX_ENTRIES = 2_000
const MAX_DIRECTORY_BYTES = 1024 * 1024
const ENCRYPTED_FLAG = 1
const RATIO_MATTERS_FROM = 10 * 1024 * 1024

/**
 * Reads what a zip file says about its parts, without unpacking any, and refuses bombs by what is declared;
 * `inflate` then holds every part to its declaration. Written here because readers on npm load the whole directory
 * before it can be refused, and check neither sizes nor sums. Throws `UnreadableTable`.
 */
export async function readZipDirectory(path: string, limits: TableLimits): Promise<ZipDirectory> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const entries = entriesOf(await directoryBytes(file, size), size)
    assertModest(entries, limits)
    assertApart(entries)
    const directory = new Map(entries.map((entry) => [entry.name, entry]))
    if (directory.size !== entries.length) throw new UnreadableTable('broken_zip')
    return directory
  } finally {
    await file.close()
  }
}

export async function readExactly(file: FileHandle, offset: number, length: number) {
  if (offset < 0 || length < 0) throw new UnreadableTable('broken_zip')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead !== length) throw new UnreadableTable('broken_zip')
  return buffer
}

async function directoryBytes(file: FileHandle, size: number) {
  const tailStart = Math.max(0, size - END_BYTES - MAX_COMMENT)
  const tail = await readExactly(file, tailStart, size - tailStart)
  const end = endOf(tail)
  let count = tail.readUInt16LE(end + 10)
  let length = tail.readUInt32LE(end + 12)
  let offset = tail.readUInt32LE(end + 16)
  if (count === 0xffff || length === 0xffffffff || offset === 0xffffffff) {
    ;({ count, length, offset } = await largeEnd(file, tail, end))
  }
  if (count > MAX_ENTRIES || length > MAX_DIRECTORY_BYTES) throw new UnreadableTable('zip_bomb')
  return { count, bytes: await readExactly(file, offset, length) }
}

function endOf(tail: Buffer) {
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue
    if (at + END_BYTES + tail.readUInt16LE(at + 20) <= tail.length) return at
  }
  throw new UnreadableTable('broken_zip')
}

/** Some writers use the 64-bit form for small files too. */
async function largeEnd(file: FileHandle, tail: Buffer, end: number) {
  const locator = end - 20
  if (locator < 0 || tail.readUInt32LE(locator) !== END64_LOCATOR) {
    throw new UnreadableTable('broken_zip')
  }
  const record = await readExactly(file, Number(tail.readBigUInt64LE(locator + 8)), 56)
  if (record.readUInt32LE(0) !== END64) throw new UnreadableTable('broken_zip')
  const [count, length, offset] = [32, 40, 48].map((at) => Number(record.readBigUInt64LE(at)))
  return { count, length, offset }
}

function entriesOf({ count, bytes }: { count: number; bytes: Buffer }, fileSize: number) {
  const entries: ZipEntry[] = []
  let at = 0
  while (entries.length < count) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY) {
      throw new UnreadableTable('broken_zip')
    }
    const [name, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field))
    const next = at + ENTRY_BYTES + name + extra + comment
    if (next > bytes.length) throw new UnreadableTable('broken_zip')
    const entry = entryOf(bytes.subarray(at, next), name, extra)
    if (entry.offset + entry.packedBytes > fileSize) throw new UnreadableTable('broken_zip')
    entries.push(entry)
    at = next
  }
  return entries
}

function entryOf(record: Buffer, nameLength: number, extraLength: number): ZipEntry {
  if (record.readUInt16LE(8) & ENCRYPTED_FLAG) throw new UnreadableTable('encrypted')
  const method = record.readUInt16LE(10)
  if (method !== 0 && method !== 8) throw new UnreadableTable('broken_zip')
  const nameEnd = ENTRY_BYTES + nameLength
  const sizes = [24, 20, 42].map((at) => record.readUInt32LE(at))
  const [inflatedBytes, packedBytes, offset] = widened(
    sizes,
    record.subarray(nameEnd, nameEnd + extraLength)
  )
  return {
    name: record.toString('utf8', ENTRY_BYTES, nameEnd).replaceAll('\\', '/').replace(/^\/+/, ''),
    method: method === 0 ? 'stored' : 'deflated',
    crc32: record.readUInt32LE(16),
    packedBytes,
    inflatedBytes,
    offset,
  }
}

/** Values that do not fit 32 bits, or only pretend not to, lie in the extra field 1, in this order. */
function widened(values: number[], extra: Buffer) {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1)
    at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return values.map((value) => {
    if (value !== 0xffffffff) return value
    if (at + 8 > extra.length) throw new UnreadableTable('broken_zip')
    at += 8
    return Number(extra.readBigUInt64LE(at - 8))
  })
}

function assertModest(entries: ZipEntry[], limits: TableLimits) {
  let total = 0
  for (const { packedBytes, inflatedBytes } of entries) {
    total += inflatedBytes
    const isInflated = inflatedBytes > packedBytes * limits.inflationRatio
    if (isInflated && inflatedBytes > RATIO_MATTERS_FROM) throw new UnreadableTable('zip_bomb')
  }
  if (total > limits.inflatedBytes) throw new UnreadableTable('zip_bomb')
}

/** Parts that share their bytes are how a small file declares modest parts and unpacks into a large whole. */
function assertApart(entries: ZipEntry[]) {
  const inOrder = entries.toSorted((one, other) => one.offset - other.offset)
  let free = 0
  for (const { offset, packedBytes } of inOrder) {
    if (offset < free) throw new UnreadableTable('zip_bomb')
    free = offset + packedBytes
  }
}
