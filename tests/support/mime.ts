export interface ParsedMail {
  headers: Record<string, string>
  subject: string
  text: string
  html: string
  attachments: { name: string; content: Buffer }[]
}

interface Part {
  headers: Record<string, string>
  body: string
}

/** A mail as a receiver's program reads it; nothing of it comes from the code under test. */
export function parseMail(raw: string): ParsedMail {
  const whole = partOf(raw)
  const leaves = leavesOf(whole)
  const textOf = (type: string) => {
    const found = leaves.find(({ headers }) => headers['content-type']?.startsWith(type))
    return found ? decode(found).toString('utf8') : ''
  }
  return {
    headers: whole.headers,
    subject: decodeWords(whole.headers.subject ?? ''),
    text: textOf('text/plain'),
    html: textOf('text/html'),
    attachments: leaves
      .filter(({ headers }) => headers['content-disposition']?.startsWith('attachment'))
      .map((part) => {
        const name = /filename="?([^";]+)"?/.exec(part.headers['content-disposition'])![1]
        return { name, content: decode(part) }
      }),
  }
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: Object.fromEntries(headers) as Part['headers'], body: raw.slice(end + 4) }
}

function leavesOf(part: Part): Part[] {
  const boundary = /boundary="?([^";]+)"?/.exec(part.headers['content-type'] ?? '')?.[1]
  if (!boundary) return [part]
  const pieces = part.body.split(`--${boundary}`).slice(1, -1)
  return pieces.flatMap((piece) => leavesOf(partOf(piece.replace(/^\r\n/, ''))))
}

function decode({ headers, body }: Part): Buffer {
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1')
  return unquote(body.replaceAll('=\r\n', ''))
}

const unquote = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16))
    ),
    'latin1'
  )

const decodeWords = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64')
        : unquote(word.replaceAll('_', ' '))
      ).toString('latin1')
    )
    .replace(/^[^]*$/, (all) => Buffer.from(all, 'latin1').toString('utf8'))
