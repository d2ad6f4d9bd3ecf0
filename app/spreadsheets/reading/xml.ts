import { SaxesParser } from 'saxes'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

export interface XmlHandlers {
  open: (name: string, attributes: Record<string, string>) => void
  close: (name: string) => void
  text?: (text: string) => void
}

const MAX_DEPTH = 64
/** No tag is this far from the next in an honest workbook; the parser would keep it all. */
const MAX_BYTES_BETWEEN_TAGS = 1024 * 1024

/**
 * Parses XML from pieces of bytes and reports names without their prefixes; yields after every piece so that the caller can
 * hand on what it has gathered. UTF-8, or UTF-16 with its mark. Throws `UnreadableTable`: a document type (the way
 * to entities that grow or lead outside) is refused whatever it says.
 */
export async function* parseXml(
  pieces: AsyncIterable<Buffer>,
  handlers: XmlHandlers
): AsyncGenerator<void> {
  const state = { bytesSinceTag: 0, depth: 0 }
  const parser = guardedParser(handlers, state)
  let decoder: TextDecoder | undefined
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true })
    state.bytesSinceTag += piece.length
    if (state.bytesSinceTag > MAX_BYTES_BETWEEN_TAGS) throw new UnreadableTable('cell_too_long')
    const known = decoder
    asXml(() => parser.write(known.decode(piece, { stream: true })))
    yield
  }
  asXml(() => parser.write(decoder?.decode() ?? '').close())
  yield
}

/** Parses a small document to its end. */
export async function readXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers) {
  for await (const nothing of parseXml(pieces, handlers)) void nothing
}

function guardedParser(
  { open, close, text }: XmlHandlers,
  state: { bytesSinceTag: number; depth: number }
) {
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('doctype', () => {
    throw new UnreadableTable('doctype')
  })
  parser.on('opentag', ({ name, attributes }) => {
    state.bytesSinceTag = 0
    state.depth += 1
    if (state.depth > MAX_DEPTH) throw new UnreadableTable('broken_xml')
    open(local(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    state.bytesSinceTag = 0
    state.depth -= 1
    close(local(name))
  })
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  return parser
}

function asXml(work: () => void) {
  try {
    work()
  } catch (error) {
    throw error instanceof UnreadableTable ? error : new UnreadableTable('broken_xml')
  }
}

function local(name: string) {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

function encodingOf(start: Buffer) {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}
