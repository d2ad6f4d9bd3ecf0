import { encodingFor, type Encoding } from '#http/encoding'
import { hasVersion } from '#http/version'
import type { HttpContext } from '@adonisjs/core/http'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
const COMPRESS = {
  br: (text: string) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string) => promisify(gzip)(text),
}

/** A packet or so: less is not worth compressing. */
const SMALLEST = 1_000
const MOST_KEPT = 64
const kept = new Map<string, Promise<Buffer>>()

/**
 * Sends a text that many ask for: compressed once in a process, and not at all to whoever has it already.
 * The type and kind of the answer are the caller's.
 */
export async function sendCompressed(ctx: HttpContext, text: string, version = versionOf(text)) {
  const { response } = ctx
  // Weak: the same text is sent in several encodings.
  if (hasVersion(ctx, `W/"${version}"`)) return response.send(null)
  const encoding = encodingFor(ctx)
  if (!encoding || text.length < SMALLEST) return response.send(text)
  response.header('Content-Encoding', encoding)
  return response.send(await compressed(text, encoding, version))
}

/** A public page. */
export function sendPage(ctx: HttpContext, html: string) {
  ctx.response.header('Content-Type', 'text/html; charset=utf-8')
  return sendCompressed(ctx, html)
}

const versionOf = (text: string) => createHash('sha256').update(text).digest('base64url')

function compressed(text: string, encoding: Encoding, version: string) {
  const key = `${encoding} ${version}`
  const ready = kept.get(key) ?? COMPRESS[encoding](text)
  // The one that was used longest ago is the first.
  kept.delete(key)
  kept.set(key, ready)
  ready.catch(() => kept.delete(key))
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT) kept.delete(oldest)
  return ready
}
