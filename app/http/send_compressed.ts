import { hasVersion } from '#http/version'
import type { HttpContext } from '@adonisjs/core/http'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const SMALLEST_FIRST = ['br', 'gzip'] as const
export type Encoding = (typeof SMALLEST_FIRST)[number]

/** The best encoding that the client accepts; browsers list gzip before better ones. */
export const encodingFor = ({ request }: HttpContext): Encoding | undefined =>
  SMALLEST_FIRST.find((encoding) => request.encoding([encoding]) === encoding)

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
const COMPRESS = {
  br: (text: string) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string) => promisify(gzip)(text),
}

/** A shorter text fits in a packet or so anyway. */
const MIN_CHARACTERS = 1_000
const MAX_CACHED = 64
const cache = new Map<string, Promise<Buffer>>()

/**
 * Sends a text that is requested often: compressed once per process, and 304 when the client has this version.
 * The caller sets the content type and the answer kind.
 */
export async function sendCompressed(ctx: HttpContext, text: string, version = versionOf(text)) {
  const { response } = ctx
  // Weak: the same text is sent in several encodings.
  if (hasVersion(ctx, `W/"${version}"`)) return response.send(null)
  const encoding = encodingFor(ctx)
  if (!encoding || text.length < MIN_CHARACTERS) return response.send(text)
  response.header('Content-Encoding', encoding)
  return response.send(await compressOnce(text, encoding, version))
}

/** A public page. */
export function sendPage(ctx: HttpContext, html: string) {
  ctx.response.header('Content-Type', 'text/html; charset=utf-8')
  return sendCompressed(ctx, html)
}

const versionOf = (text: string) => createHash('sha256').update(text).digest('base64url')

function compressOnce(text: string, encoding: Encoding, version: string) {
  const key = `${encoding} ${version}`
  const ready = cache.get(key) ?? COMPRESS[encoding](text)
  // Re-inserting keeps the map in order of last use (LRU).
  cache.delete(key)
  cache.set(key, ready)
  ready.catch(() => cache.delete(key))
  const [oldest] = cache.keys()
  if (cache.size > MAX_CACHED) cache.delete(oldest)
  return ready
}
