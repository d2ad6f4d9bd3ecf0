import { baseUrl, signatureOf } from './shop.ts'

/** The fetch function for the code that orval generates. */
export async function signedFetch<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const url = baseUrl + path
  const body = typeof options.body === 'string' ? options.body : ''
  const headers = new Headers(options.headers)
  for (const [name, value] of Object.entries(signatureOf(options.method ?? 'GET', url, body)))
    headers.set(name, value)
  const response = await fetch(url, { ...options, headers })
  // The generated functions state the type of the response; it is not checked here.
  return {
    status: response.status,
    data: await response.json(),
    headers: response.headers,
  } as Answer
}
