import { rows } from '#tests/functional/races/support/sql'
import { WebProcess, freePort } from '#tests/functional/races/support/web_process'
import { aSale, sell } from '#tests/support/fixtures'
import { newId } from '#shared/public_id'
import { testBaseUrl } from '#tests/support/partner_client'
import { talk } from '#tests/support/raw_socket'
import { StaffClient } from '#tests/support/staff_client'
import router from '@adonisjs/core/services/router'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'

/** Routes whose answers may be kept, or loaded by more than themselves; every other one is plain data or a page of the staff. */
const PUBLIC_PAGES = ['landing', 'reference.show', 'reference.guide']

const SENDER = '198.51.100.200'

interface Answer {
  status: number
  headers: Record<string, string | undefined>
}

/** One request over a connection of its own, with its path as it stands. */
async function ask(
  method: string,
  path: string,
  headers = {},
  base = testBaseUrl()
): Promise<Answer> {
  const { hostname, port } = new URL(base)
  // A sender of its own: what strangers fail at is counted by address.
  const all = { 'X-Forwarded-For': SENDER, ...headers }
  const sent = request({ hostname, port, path, method, headers: all, agent: false })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'close')
  return { status: response.statusCode!, headers: response.headers as Answer['headers'] }
}

/** What partners show in their own pages. */
const EMBEDDABLE = /^\w+ \/(plans|tickets)\//

/** No inline script or style sheet, no eval, nothing from elsewhere. */
function assertStrict(assert: Assert, policy: string, about: string) {
  const allowed = /^('none'|'self'|'nonce-[\w+/=]+'|data:|\*|)$/
  for (const directive of policy.split('; ')) {
    const [name, ...sources] = directive.split(' ')
    // A PDF's viewer is an object with style attributes.
    if (directive === `style-src-attr 'unsafe-inline'`) assert.match(about, EMBEDDABLE)
    else for (const source of sources) assert.match(source, allowed, `${about}: ${directive}`)
    if (name !== 'frame-ancestors') assert.notInclude(sources, '*', about)
    if (name !== 'img-src') assert.notInclude(sources, 'data:', about)
  }
}

function assertSafe(assert: Assert, { headers, status }: Answer, what: string) {
  const about = `${what} (${status})`
  const policy = headers['content-security-policy'] ?? ''
  assert.equal(headers['x-content-type-options'], 'nosniff', about)
  assert.match(policy, /^default-src 'none'; base-uri 'none'; form-action '(none|self)'/, about)
  assert.match(policy, /frame-ancestors/, about)
  assertStrict(assert, policy, about)
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin', about)
  assert.match(
    headers['cross-origin-resource-policy'] ?? '',
    EMBEDDABLE.test(what) ? /^(same|cross)-origin$/ : /^same-origin$/,
    about
  )
  assert.isNotEmpty(headers['referrer-policy'] ?? '', about)
  assert.match(headers['permissions-policy'] ?? '', /camera=\(\), .*microphone=\(\)/, about)
  assert.match(headers['cache-control'] ?? '', /no-store|no-cache|immutable/, about)
  assert.match(String(headers.vary), /Accept-Encoding/, about)
  assert.notProperty(headers, 'strict-transport-security', about)
}

const isPublicPage = (name?: string) => PUBLIC_PAGES.includes(name ?? '')

const sampleOf = (pattern: string) =>
  pattern.replace(/:(\w+)\??/g, 'none').replace(/\*$/, 'nowhere/at/all')

test.group('Headers of responses', () => {
  test('every route and method has the safe headers for an anonymous client', async ({
    assert,
  }) => {
    const routes = Object.values(router.toJSON()).flat()
    assert.isAbove(routes.length, 100)
    for (const { name, methods, pattern } of routes) {
      // A response to CONNECT has no headers of HTTP, and HEAD is GET without a body.
      for (const method of methods.filter((one) => one !== 'CONNECT')) {
        const what = `${method} ${pattern}`
        const answer = await ask(method, sampleOf(pattern))
        assertSafe(assert, answer, what)
        const isShown = isPublicPage(name) && answer.status < 400
        const kept = isShown || pattern.startsWith('/tickets/')
        const expected = kept ? /no-cache/ : /^no-store$/
        assert.match(answer.headers['cache-control']!, expected, what)
      }
    }
  }).timeout(120_000)

  test('{$self} has the safe headers')
    .with([
      'GET /nowhere',
      'GET /api/v1/partners/nowhere',
      'DELETE /api/v1/partners/events',
      'GET /api/v1/partners/%C0%80',
      'GET /%zz',
      'POST /docs',
      'GET /api/v1/gate/nowhere',
      'GET /back-office/nowhere',
      'GET /assets/none.js',
      'OPTIONS /',
      'HEAD /',
      'GET /metrics',
    ])
    .run(async ({ assert }, asked) => {
      const [method, path] = asked.split(' ')
      assertSafe(assert, await ask(method, path), asked)
    })

  test('failures have the safe headers at every entrance', async ({ assert }) => {
    const deaf = `postgresql://nobody@127.0.0.1:${await freePort()}/none`
    const web = await WebProcess.start({ DATABASE_URL: deaf })
    const failing = [
      '/api/v1/partners/events',
      `/plans/${'0'.repeat(64)}.svg`,
      '/health/ready',
      `/api/v1/partners/events/${newId('evt')}/jwks.json`,
    ]
    const statuses: number[] = []
    try {
      for (const path of failing) {
        const answer = await ask(
          'GET',
          path,
          { 'X-Api-Key': `pk_sandbox_${'x'.repeat(32)}` },
          web.url
        )
        assertSafe(assert, answer, path)
        assert.equal(answer.headers['cache-control'], 'no-store')
        statuses.push(answer.status)
      }
    } finally {
      await web.stop()
    }
    assert.isTrue(
      statuses.every((status) => status >= 500),
      String(statuses)
    )
  })

  test('malformed requests have the safe headers', async ({ assert }) => {
    const { answers } = await talk('GET / HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n')
    const [{ status, headers }] = answers
    assert.equal(status, 400)
    assertSafe(assert, { status, headers: Object.fromEntries(headers) }, 'a broken header')
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('responses over https ask browsers for https only', async ({ assert }) => {
    const { headers } = await ask('GET', '/', { 'X-Forwarded-Proto': 'https' })
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
  })

  test('on a live deployment every route asks for https only, and its cookies are Secure', async ({
    assert,
  }) => {
    const web = await WebProcess.start({
      DEPLOYMENT: 'live',
      SESSION_DRIVER: 'redis',
      LOCAL_WEBHOOKS: 'false',
      APP_URL: 'https://tickets.example.kz',
    })
    const cookies = new Set<string>()
    try {
      for (const { methods, pattern } of Object.values(router.toJSON()).flat()) {
        const [method] = methods
        const { headers } = await ask(method, sampleOf(pattern), {}, web.url)
        const about = `${method} ${pattern}`
        assert.equal(
          headers['strict-transport-security'],
          'max-age=31536000; includeSubDomains',
          about
        )
        for (const cookie of [headers['set-cookie'] ?? []].flat()) {
          const [, name, rest] = /^([^=]+)=[^;]*(.*)$/.exec(cookie)!
          cookies.add(`${name}${rest.replace(/; (Max-Age|Expires)=[^;]*/g, '')}`)
        }
      }
    } finally {
      await web.stop()
    }
    assert.sameMembers(
      [...cookies],
      [
        '__Host-staff; Path=/; HttpOnly; Secure; SameSite=Lax',
        'XSRF-TOKEN; Path=/back-office; Secure; SameSite=Lax',
      ]
    )
  }).timeout(120_000)

  test('{$self} is sent compressed, and 304 to a client that has it')
    .with(['/', '/docs', '/docs/guide', '/api/v1/partners/openapi.json'])
    .run(async ({ assert }, path) => {
      const asked = { 'Accept-Encoding': 'gzip, br' }
      const { headers } = await ask('GET', path, asked)
      const again = await ask('GET', path, { ...asked, 'If-None-Match': headers.etag })
      assert.equal(headers['content-encoding'], 'br')
      assert.match(
        headers['content-type']!,
        path.endsWith('json') ? /^application.json/ : /^text.html/
      )
      assert.isBelow(Number(headers['content-length']), 60_000)
      assert.equal(again.status, 304)
    })

  test('a staff page is not cached, and only its own inline script runs', async ({ assert }) => {
    const client = await StaffClient.signedIn('admin')
    const response = await client.get('/back-office')
    const html = await response.text()
    const policy = response.headers.get('content-security-policy')!
    const [, nonce] = /script-src 'self' 'nonce-([^']+)'/.exec(policy)!
    assert.include(policy, `style-src 'self' 'nonce-${nonce}'`)
    assertStrict(assert, policy, 'a staff page')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.include(html, `<script nonce="${nonce}">`)
    assert.match(response.headers.get('permissions-policy')!, /camera=\(\)/)
    const again = await client.get('/back-office')
    assert.notInclude(again.headers.get('content-security-policy')!, nonce)
  })

  test('only the gate page may use the camera', async ({ assert }) => {
    const client = await StaffClient.signedIn('gate')
    const page = await client.get('/back-office/gate')
    const fromAnotherPage = await client.send('GET', '/back-office/gate', undefined, {
      'X-Inertia': 'true',
      'X-Inertia-Version': page.headers.get('x-inertia-version') ?? '',
    })
    const policy = page.headers.get('permissions-policy')!
    assert.match(policy, /camera=\(self\)/)
    assert.match(policy, /microphone=\(\)/)
    assert.equal(fromAnotherPage.status, 409)
    assert.match(fromAnotherPage.headers.get('x-inertia-location')!, /\/back-office\/gate$/)
  })

  test('assets and hall plans are cached for ever, PDFs are revalidated; partners may frame both', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const order = await sell(client, event.id, ['seat-1-1'])
    const [{ plan_digest: digest }] = await rows('SELECT plan_digest FROM halls LIMIT 1')
    const script = readdirSync('public/assets').find((file) => file.endsWith('.js'))!
    const pdf = await fetch(order.tickets[0].pdf_url)
    const plan = await fetch(`${testBaseUrl()}/plans/${digest}.svg`)
    const asBrowsers = { 'Accept-Encoding': 'gzip, deflate, br, zstd' }
    const asset = await fetch(`${testBaseUrl()}/assets/${script}`, { headers: asBrowsers })
    assert.equal(asset.headers.get('content-encoding'), 'br')

    const immutable = 'public, max-age=31536000, immutable'
    assert.equal(asset.headers.get('cache-control'), immutable)
    assert.equal(plan.headers.get('cache-control'), immutable)
    assert.equal(pdf.headers.get('cache-control'), 'private, no-cache')
    assert.equal(
      plan.headers.get('content-security-policy'),
      `default-src 'none'; base-uri 'none'; form-action 'none'; sandbox; frame-ancestors *`
    )
    for (const { headers } of [pdf, plan]) {
      assert.match(
        headers.get('content-security-policy')!,
        /default-src 'none'.*frame-ancestors \*/
      )
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.isNull(headers.get('x-frame-options'))
    }
    assert.equal(asset.headers.get('x-frame-options'), 'DENY')
  })
})
