import { csrfToken } from '~/csrf_token'

/** The server could not be reached, or cannot answer now. */
export class NoAnswer extends Error {}
/** The session is over: somebody has to sign in. */
export class SignedOut extends Error {}
/** The server refused the request. */
export class Refused extends NoAnswer {
  constructor(
    public readonly status: number,
    /** To find the request in the server's log. */
    public readonly requestId: string | null
  ) {
    super(`Answered ${status}`)
  }
}

/** A guest waits for a scan; a long list may take its time. */
export const SCAN_PATIENCE_MS = 3_000
const PATIENCE_MS = 20_000

const SIGNED_OUT = [401, 403, 419]
/** The same request may succeed in a moment: time-outs, limits, a proxy without a server behind it, a busy database. */
const TEMPORARY = [408, 425, 429, 502, 503, 504]

/** JSON of the server. Throws NoAnswer (Refused when the same request will fail again) or SignedOut. */
export async function ask<Answer>(
  path: string,
  body?: object,
  patienceMs = PATIENCE_MS
): Promise<Answer> {
  const headers = { 'Accept': 'application/json', 'X-XSRF-TOKEN': csrfToken() }
  const post = {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }
  let response: Response
  try {
    response = await fetch(path, {
      ...(body ? post : { headers }),
      // A redirect to the sign-in is not an answer.
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (response.ok) return (await response.json()) as Answer
  } catch (error) {
    throw new NoAnswer('No answer', { cause: error })
  }
  const { status } = response
  if (response.type === 'opaqueredirect' || SIGNED_OUT.includes(status))
    throw new SignedOut('Signed out')
  if (TEMPORARY.includes(status)) throw new NoAnswer(`Answered ${status}`)
  throw new Refused(status, response.headers.get('X-Request-Id'))
}
