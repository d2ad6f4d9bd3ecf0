import { baseUrl, signatureOf } from './shop.ts'

/** How the functions that orval generates reach the service. */
export async function signedFetch<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const url = baseUrl + path
  const body = typeof options.body === 'string' ? options.body : ''
  const headers = new Headers(options.headers)
  for (const [name, value] of Object.entries(signatureOf(options.method ?? 'GET', url, body)))
    headers.set(name, value)
  const response = await fetch(url, { ...options, headers })
  // The one place that says what has come: the generated functions name the type.
  return {
    status: response.status,
    data: await response.json(),
    headers: response.headers,
  } as Answer
}
