import type { Role } from '#staff/role'
import { aStaffMember } from '#tests/support/browser'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

/** Somebody of the staff who is signed in, without a browser: keeps cookies and sends the token of forms. */
export class StaffClient {
  #cookies = new Map<string, string>()

  constructor(private readonly base = process.env.APP_URL!) {}

  static async signedIn(role: Role, base?: string) {
    const client = new StaffClient(base)
    await client.get('/back-office/sign-in')
    await client.send('POST', '/back-office/sign-in', await aStaffMember(role))
    return client
  }

  async get(path: string) {
    const headers = { Cookie: this.#cookie() }
    return this.#keep(await fetch(new URL(path, this.base), { headers, redirect: 'manual' }))
  }

  async json(path: string) {
    const response = await this.get(path)
    return response.json() as Promise<any>
  }

  /** An answer that has no end; destroyed, it closes its connection, and nothing is left open for later. */
  async stream(path: string) {
    const request = get(new URL(path, this.base), {
      headers: { Cookie: this.#cookie() },
      agent: false,
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response.setEncoding('utf8')
  }

  async send(method: 'POST' | 'DELETE', path: string, body: object) {
    const headers = {
      'Cookie': this.#cookie(),
      'Content-Type': 'application/json',
      'X-XSRF-TOKEN': decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? ''),
    }
    const sent = { method, headers, body: JSON.stringify(body), redirect: 'manual' as const }
    return this.#keep(await fetch(new URL(path, this.base), sent))
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
