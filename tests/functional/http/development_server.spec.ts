import { WebProcess } from '#tests/functional/races/support/web_process'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { mkdir, rm, writeFile } from 'node:fs/promises'

const CANARY = 'sk_sandbox_canary_of_the_development_server'
const FILE = 'tmp/canary.json'

/** Files of the repository that are no pages, and a few files outside it. */
const CLOSED = [
  `/${FILE}`,
  '/package.json',
  '/.env.example',
  '/compose.yaml',
  '/adonisrc.ts',
  '/vite.config.ts',
  '/app/partners/api_key.ts',
  '/start/routes.ts',
  '/config/platform.ts',
  '/database/migrations/1_create_catalog.ts',
  '/docs/operations.md',
  '/tests/bootstrap.ts',
  '/bin/server.ts',
  '/.git/config',
  '/%2e%2e/main/package.json',
]
const VARIANTS = ['', '?raw', '?url', '?inline', '?import', '?import&raw', '?raw??', '?.svg?raw']

test.group('Development server', (group) => {
  let web: WebProcess
  group.setup(async () => {
    await mkdir(app.makePath('tmp'), { recursive: true })
    await writeFile(app.makePath(FILE), JSON.stringify({ secret: CANARY }))
    web = await WebProcess.start({ NODE_ENV: 'development', DEV_MODE: 'true' })
  })
  group.teardown(async () => {
    await web.stop()
    await rm(app.makePath(FILE))
  })

  test('serves the pages', async ({ assert }) => {
    for (const path of [
      '/',
      '/docs/guide',
      '/@vite/client',
      '/resources/app.ts',
      '/resources/reference/page.css',
    ]) {
      const { status } = await fetch(web.url + path)
      assert.equal(status, 200, path)
    }
    const script = await fetch(`${web.url}/resources/app.ts`)
    const source = await script.text()
    const loaded = [...source.matchAll(/from "(\/node_modules[^"]+)"/g)]
    assert.isNotEmpty(loaded)
    const [[, path]] = loaded
    const { status } = await fetch(web.url + path)
    assert.equal(status, 200)
  }).timeout(120_000)

  test('lets its pages open its websocket', async ({ assert }) => {
    for (const path of ['/', '/docs/guide', '/back-office/sign-in']) {
      const { headers } = await fetch(web.url + path)
      assert.match(headers.get('content-security-policy')!, /connect-src 'self' ws:/, path)
    }
  })

  test('serves no other file of the repository or the machine', async ({ assert }) => {
    const outside = ['/etc/passwd', ...CLOSED.map((path) => app.makePath(path))]
    const paths = [...CLOSED, ...outside.map((path) => `/@fs${path}`)]
    const served: string[] = []
    for (const path of paths) {
      for (const variant of VARIANTS) {
        const response = await fetch(web.url + path + variant)
        const text = await response.text()
        if (response.status < 400 || text.includes(CANARY)) served.push(path + variant)
      }
    }
    assert.deepEqual(served, [])
  }).timeout(120_000)
})
