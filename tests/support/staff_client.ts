import type { Role } from '#back_office/permissions'
import { aStaffMember } from '#tests/support/browser'

const url = (path: string) => new URL(path, process.env.APP_URL)

/** Somebody of the staff who is signed in, without a browser: keeps cookies and sends the token of forms. */
export class StaffClient {
  #cookies = new Map<string, string>()

  static async signedIn(role: Role) {
    const client = new StaffClient()
    await client.get('/back-office/sign-in')
    await client.send('POST', '/back-office/sign-in', await aStaffMember(role))
    return client
  }

  async get(
    path: string,
    options: { signal?: AbortSignal; headers?: Record<string, string> } = {}
  ) {
    const headers = { ...options.headers, Cookie: this.#cookie() }
    return this.#keep(await fetch(url(path), { ...options, headers, redirect: 'manual' }))
  }

  async send(method: 'POST' | 'DELETE', path: string, body: object) {
    const headers = {
      'Cookie': this.#cookie(),
      'Content-Type': 'application/json',
      'X-XSRF-TOKEN': decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? ''),
    }
    const sent = { method, headers, body: JSON.stringify(body), redirect: 'manual' as const }
    return this.#keep(await fetch(url(path), sent))
  }

  #cookie = () => [...this.#cookies].map((pair) => pair.join('=')).join('; ')

  #keep(response: Response) {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.#cookies.set(name, value)
    }
    return response
  }
}
