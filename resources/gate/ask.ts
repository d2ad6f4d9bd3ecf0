/** The server could not be reached, or is in no state to answer. */
export class NoAnswer extends Error {}
/** The session is over: somebody has to sign in. */
export class SignedOut extends Error {}

/** A guest waits for a scan; a long list may take its time. */
export const SCAN_PATIENCE_MS = 3_000
const PATIENCE_MS = 20_000

function csrfToken() {
  const cookie = document.cookie.split('; ').find((one) => one.startsWith('XSRF-TOKEN='))
  return decodeURIComponent(cookie?.split('=')[1] ?? '')
}

/** JSON of the server. Throws NoAnswer or SignedOut. */
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
      // A page to sign in on is no answer.
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (response.ok) return (await response.json()) as Answer
  } catch (error) {
    throw new NoAnswer('No answer', { cause: error })
  }
  if (response.type === 'opaqueredirect' || [401, 403, 419].includes(response.status))
    throw new SignedOut('Signed out')
  throw new NoAnswer(`Answered ${response.status}`)
}
