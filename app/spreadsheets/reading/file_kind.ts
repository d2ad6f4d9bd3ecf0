import { open, type FileHandle } from 'node:fs/promises'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const EMPTY_ZIP = Buffer.from('PK\x05\x06', 'latin1')
/** Excel 97 to 2003 (.xls, BIFF8), other old Office files, and any encrypted .xlsx. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED_PART = Buffer.from('EncryptedPackage', 'utf16le')
/** Streams of old documents and presentations, which are no tables. */
const OTHER_STREAMS = ['WordDocument', 'PowerPoint Document'].map((name) =>
  Buffer.from(name, 'utf16le')
)
/** The first record of Excel 2 to 5, which had no container, and of BIFF8 that some programs write without one. */
const BIFF_VERSIONS = [0x00, 0x02, 0x04, 0x08]
const MAX_FIRST_RECORD = 16
/** Signatures of other files that are often named .xls or .csv: documents, pictures, archives. */
const OTHERS = [
  '%PDF',
  '{\\rtf',
  '\x89PNG',
  '\xff\xd8\xff',
  'GIF8',
  '\x1f\x8b',
  'Rar!',
  '7z\xbc\xaf',
]
const MARKUP = /^\uFEFF?\s*<(\?xml|!doctype|html|table|head|body|style|meta)/i

/** Detects by content whether a file is a zip or text. Throws `UnreadableTable` for anything else and beyond `maxBytes`. */
export async function sniff(path: string, maxBytes: number): Promise<'zip' | 'text'> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw new UnreadableTable('empty')
    if (size > maxBytes) throw new UnreadableTable('too_large')
    const start = await beginning(file)
    if (start.subarray(0, COMPOUND.length).equals(COMPOUND)) throw await compoundProblem(file)
    return kindOf(start)
  } finally {
    await file.close()
  }
}

function kindOf(start: Buffer): 'zip' | 'text' {
  if (start.subarray(0, 4).equals(ZIP)) return 'zip'
  if (isBareBiff(start)) throw new UnreadableTable('old_workbook')
  if (start.subarray(0, 4).equals(EMPTY_ZIP)) throw new UnreadableTable('not_a_workbook')
  const letters = start.toString('latin1')
  if (OTHERS.some((magic) => letters.startsWith(magic))) throw new UnreadableTable('not_a_table')
  if (MARKUP.test(start.toString('utf8'))) throw new UnreadableTable('not_a_table')
  return 'text'
}

/** Record 0x?09 and its length, both of two bytes, the lower one first. */
function isBareBiff(start: Buffer) {
  if (start.length < 4 || start[0] !== 0x09 || !BIFF_VERSIONS.includes(start[1])) return false
  const length = start.readUInt16LE(2)
  return length >= 4 && length <= MAX_FIRST_RECORD
}

async function beginning(file: FileHandle) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
  return buffer.subarray(0, bytesRead)
}

async function compoundProblem(file: FileHandle) {
  const content = await file.readFile()
  if (content.includes(ENCRYPTED_PART)) return new UnreadableTable('encrypted')
  const isOther = OTHER_STREAMS.some((name) => content.includes(name))
  return new UnreadableTable(isOther ? 'not_a_table' : 'old_workbook')
}
