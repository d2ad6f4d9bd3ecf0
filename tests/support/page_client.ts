import type { Undo } from '#staff_area/shared_props'
import { testBaseUrl } from '#tests/support/partner_client'
import { StaffClient } from '#tests/support/staff_client'

interface Page {
  status: number
  /** Where a redirect leads, without the host. */
  location: string | null
  component: string | null
  props: Record<string, any>
}

const BASE = '/back-office'

/** A browser of the staff without the screen: sees pages as Inertia gives them to their components. */
export class PageClient {
  readonly #client = new StaffClient()
  #referer = testBaseUrl() + BASE
  #version = ''

  /** The address that it comes from, when that matters. */
  constructor(private readonly address?: string) {}

  get = (path: string) => this.#send('GET', path)
  post = (path: string, body: object = {}) => this.#send('POST', path, body)
  put = (path: string, body: object = {}) => this.#send('PUT', path, body)
  delete = (path: string, body: object = {}) => this.#send('DELETE', path, body)
  send = (method: string, path: string) =>
    method === 'GET' ? this.get(path) : this.#send(method, path, {})

  /** A part of a page that it asks for by itself. */
  async part(path: string, name: string) {
    const { component } = await this.get(path)
    const { props } = await this.reload(path, component!, [name])
    return props[name]
  }

  /** What the scripts of a page fetch: no page. */
  fetch = (path: string) =>
    this.#client.send('GET', BASE + path, undefined, { Accept: 'application/json' })

  /** Some props of a page that the browser has already. */
  reload = (path: string, component: string, names: string[]) =>
    this.#send('GET', path, undefined, {
      'X-Inertia-Partial-Component': component,
      'X-Inertia-Partial-Data': names.join(','),
    })

  /** As a page of somebody else has the browser send it: with the cookies and without the token of forms. */
  forge = (method: string, path: string, body: object = {}) =>
    this.#send(method, path, body, { 'X-XSRF-TOKEN': '' })

  /** What the message of an act, which `path` shows now, offers to undo; null without an offer. */
  async undoOn(path: string): Promise<Undo | null> {
    const { props } = await this.get(path)
    return props.notice?.undo ?? null
  }

  /** Presses “Undo” on the page that was read last. */
  undo = ({ method, url, data }: Undo) =>
    this.#send(method.toUpperCase(), url.replace(BASE, ''), data)

  async statusOf(path: string) {
    const { status } = await this.get(path)
    return status
  }

  /** Redirect target of a page that may not be seen now. */
  async sentTo(path: string) {
    const { location } = await this.get(path)
    return location
  }

  async signIn(email: string, password: string) {
    await this.get('/sign-in')
    return this.post('/sign-in', { email, password })
  }

  /** The page that a form leads back to, with its errors. */
  async errorsAfter(sent: Promise<Page>): Promise<Record<string, string>> {
    const { location } = await sent
    const { props } = await this.get(location!.replace(BASE, ''))
    return props.errors as Record<string, string>
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {}
  ): Promise<Page> {
    const response = await this.#client.send(method, BASE + path, body, {
      'X-Inertia': 'true',
      'X-Inertia-Version': this.#version,
      'Referer': this.#referer,
      ...(this.address ? { 'X-Forwarded-For': this.address } : {}),
      ...more,
    })
    const version = response.headers.get('X-Inertia-Version')
    const text = await response.text()
    if (method === 'GET' && response.status === 409 && version && version !== this.#version) {
      this.#version = version
      return this.#send(method, path)
    }
    if (response.headers.has('X-Inertia-Location')) return this.#open(path)
    if (method === 'GET') this.#referer = testBaseUrl() + BASE + path
    const page = response.headers.get('X-Inertia') ? (JSON.parse(text) as Page) : undefined
    const location = response.headers.get('Location')?.replace(testBaseUrl(), '') ?? null
    const { status } = response
    return { status, location, component: page?.component ?? null, props: page?.props ?? {} }
  }

  /** A page that wants to be a document of its own: the browser loads it as one. */
  async #open(path: string): Promise<Page> {
    const { status } = await this.#client.get(BASE + path)
    return { status, location: null, component: null, props: {} }
  }
}

export async function signedIn(person: { email: string; password: string }) {
  const client = new PageClient()
  await client.signIn(person.email, person.password)
  return client
}
