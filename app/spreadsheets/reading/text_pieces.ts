import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

/** `windows-1251` is what Russian Excel and 1C save as CSV. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251'

/** By its byte order mark; else UTF-8 if the whole file is valid UTF-8, otherwise windows-1251. */
export async function encodingOf(path: string): Promise<TextEncoding> {
  const marked = await byteOrderMarkOf(path)
  if (marked) return marked
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of bytesOf(path)) {
      if (piece.includes(0)) throw new UnreadableTable('binary')
      decoder.decode(piece, { stream: true })
    }
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    await assertNoNul(path)
    return 'windows-1251'
  }
}

/** The text of a file in pieces, without its byte order mark. Throws `UnreadableTable` where it is broken. */
export async function* textPieces(path: string, encoding: TextEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const piece of bytesOf(path)) yield decoded(decoder, piece)
  yield decoded(decoder)
}

/** The same text with line feeds only, so that lines are counted once. */
export async function* withLineFeeds(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let endsWithReturn = false
  for await (const piece of pieces) {
    const text = endsWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    if (piece !== '') endsWithReturn = piece.endsWith('\r')
    yield text.replace(/\r\n?/g, '\n')
  }
}

function decoded(decoder: TextDecoder, piece?: Buffer) {
  let text: string
  try {
    text = decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    throw new UnreadableTable('broken_text')
  }
  if (text.includes('\0')) throw new UnreadableTable('binary')
  return text
}

function bytesOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path)
}

async function assertNoNul(path: string) {
  for await (const piece of bytesOf(path)) {
    if (piece.includes(0)) throw new UnreadableTable('binary')
  }
}

async function byteOrderMarkOf(path: string): Promise<TextEncoding | null> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le'
    if (buffer[0] === 0xfe && buffer[1] === 0xff) return 'utf-16be'
    return null
  } finally {
    await file.close()
  }
}
