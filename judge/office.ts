import { Client, randomAddress, type Answer } from './client.ts'
import type { Product } from './types.ts'

/** A minimal browser for the back office: keeps cookies and sends the CSRF token. */
export class Office {
  readonly client: Client
  readonly #cookies = new Map<string, string>()

  constructor(product: Product) {
    this.client = new Client(product)
  }

  get(path: string) {
    return this.#send('GET', path)
  }

  postForm(path: string, fields: Record<string, string>) {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    return this.#send('POST', path, new URLSearchParams(fields).toString(), type)
  }

  postJson(path: string, value: unknown) {
    const type = { 'Content-Type': 'application/json', 'Accept': 'application/json' }
    return this.#send('POST', path, JSON.stringify(value), type)
  }

  async signIn({ email, password }: { email: string; password: string }) {
    await this.get('/back-office/sign-in')
    const answer = await this.postForm('/back-office/sign-in', { email, password })
    const target = String(answer.headers.location)
    if (target.includes('sign-in')) throw new Error(`Signing in as ${email} leads to ${target}`)
  }

  /** Changes the IP address, by which wrong passwords are limited. */
  moveElsewhere() {
    this.client.address = randomAddress()
  }

  close() {
    this.client.close()
  }

  async #send(method: string, uri: string, body?: string, more: Record<string, string> = {}) {
    const token = decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? '')
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { 'Cookie': cookie, 'X-XSRF-TOKEN': token, ...more }
    const answer = await this.client.send({ method, uri, body, headers })
    this.#keepCookies(answer)
    return answer
  }

  #keepCookies({ headers }: Answer) {
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name) this.#cookies.set(name, value)
    }
  }
}
