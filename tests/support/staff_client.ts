import type { Role } from '#staff/role'
import { aStaffMember } from '#tests/support/browser'
import { testBaseUrl } from '#tests/support/partner_client'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

/** Somebody of the staff, without a browser: keeps cookies and sends the token of forms. */
export class StaffClient {
  readonly #cookies = new Map<string, string>()

  constructor(private readonly base = testBaseUrl()) {}

  static async signedIn(role: Role, base?: string) {
    const client = new StaffClient(base)
    await client.get('/back-office/sign-in')
    await client.send('POST', '/back-office/sign-in', await aStaffMember(role))
    return client
  }

  get = (path: string) => this.send('GET', path)

  /** The cookie of the session as the browser holds it now. */
  get session() {
    return this.#cookies.get('staff')
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

  async send(method: string, path: string, body?: object, more: Record<string, string> = {}) {
    const headers = {
      'Cookie': this.#cookie(),
      ...(body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
      'X-XSRF-TOKEN': decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? ''),
      ...more,
    }
    const sent = {
      method,
      headers,
      body: body instanceof FormData ? body : body && JSON.stringify(body),
      redirect: 'manual' as const,
    }
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
