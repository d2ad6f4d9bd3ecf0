import type { Credentials } from '../../../bench/generator/jobs.ts'
import { PREFIX, signedHeaders } from '../../../bench/generator/signed_request.ts'

interface CallOptions {
  content?: object
  /** Of the partner's clock, by which it signs. */
  aheadSeconds?: number
}

/** One signed request, sent once: a POST when it has content. */
export async function signedCall(
  url: string,
  partner: Credentials,
  path: string,
  { content, aheadSeconds = 0 }: CallOptions = {}
) {
  const method = content ? 'POST' : 'GET'
  const body = content ? JSON.stringify(content) : undefined
  const signedAt = Math.floor(Date.now() / 1_000) + aheadSeconds
  const headers: Record<string, string> = signedHeaders(partner, method, path, body, signedAt)
  if (content) headers['Content-Type'] = 'application/json'
  const response = await fetch(`${url}${PREFIX}${path}`, { method, headers, body })
  const { data, meta, error } = (await response.json()) as any
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    code: error?.code as string | undefined,
    data,
    meta,
  }
}
