import type { HttpContext } from '@adonisjs/core/http'
import { BODY_LIMIT_BYTES } from '#partner_api/middleware/body_limits'
import { refuse, refuseField } from '#shared/refusals'

const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?;?\s*$/i
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The JSON object of a POST body, neither trimmed nor converted (completions, Order of checks). */
export function readJsonBody({ request }: HttpContext, raw: Buffer): Record<string, unknown> {
  if (raw.length === 0) return {}
  const type = request.header('content-type') ?? ''
  const encoding = request.header('content-encoding') ?? 'identity'
  if (!JSON_TYPE.test(type) || encoding !== 'identity') refuse('UNSUPPORTED_MEDIA_TYPE')
  if (raw.length > BODY_LIMIT_BYTES) refuse('PAYLOAD_TOO_LARGE', { limit_bytes: BODY_LIMIT_BYTES })
  const body = parse(raw)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    refuseField('body', 'object', 'The body must be a JSON object')
  }
  return body as Record<string, unknown>
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(raw))
  } catch {
    return refuseField('body', 'json', 'The body is not valid JSON in UTF-8')
  }
}
