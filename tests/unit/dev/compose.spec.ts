import { QUEUES } from '#start/schedule'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { baseImages } from '../../../dev/drills/compose/base_images.ts'

interface Service {
  image?: string
  environment?: Record<string, string>
  secrets?: string[]
}

async function readCompose(path: string) {
  const text = await readFile(app.makePath(path), 'utf8')
  return parse(text, { merge: true }) as {
    services: Record<string, Service>
    secrets?: Record<string, { file: string }>
  }
}

test.group('compose.yaml', () => {
  test('the processes that serve have neither the owner nor the role for reports, whatever .env says', async ({
    assert,
  }) => {
    const { services } = await readCompose('compose.yaml')
    for (const name of ['web', 'worker', 'runs']) {
      const { environment } = services[name]
      for (const setting of ['OWNER_DATABASE_URL', 'REPORTS_DATABASE_URL', 'POSTGRES_PASSWORD'])
        assert.strictEqual(environment![setting], '', `${name}: ${setting}`)
    }
  })

  test('with deploy/compose.secrets.yaml no variable of a container has a password, and each file is mounted', async ({
    assert,
  }) => {
    const [base, overlay] = await Promise.all(
      ['compose.yaml', 'deploy/compose.secrets.yaml'].map(readCompose)
    )
    for (const [name, service] of Object.entries(base.services)) {
      if (name === 'redis') continue
      const environment = { ...service.environment, ...overlay.services[name].environment }
      const plain = Object.entries(environment).filter(([, value]) => value.includes('_PASSWORD'))
      assert.deepEqual(plain, [], name)
      const files = Object.values(overlay.services[name].environment!).filter(Boolean)
      const mounted = overlay.services[name].secrets!.map((secret) => `/run/secrets/${secret}`)
      assert.sameMembers(files, mounted, name)
    }
    const mounts = Object.values(overlay.services).flatMap(({ secrets }) => secrets!)
    assert.sameMembers([...new Set(mounts)], Object.keys(overlay.secrets!))
  })

  test('the files of secrets get neither into the repository nor into an image', async ({
    assert,
  }) => {
    const { secrets } = await readCompose('deploy/compose.secrets.yaml')
    for (const { file } of Object.values(secrets!)) assert.match(file, /^\.\/secrets\//)
    for (const list of ['.gitignore', '.dockerignore']) {
      const text = await readFile(app.makePath(list), 'utf8')
      assert.include(text.split('\n'), 'secrets', list)
    }
  })

  test('its workers together serve every queue', async ({ assert }) => {
    const text = await readFile(app.makePath('compose.yaml'), 'utf8')
    const queues = [...text.matchAll(/--queues=([a-z]+)/g)].map(([, name]) => name)
    assert.sameMembers(queues, Object.keys(QUEUES))
  })

  test('the drill has a stand-in for each image that it and the Dockerfile begin with', ({
    assert,
  }) => {
    const kinds = baseImages().map((name) => name.split(':')[0])
    assert.sameMembers(kinds, ['node', 'postgres', 'redis'])
    const missing = kinds.filter(
      (kind) => !existsSync(app.makePath('dev/drills/compose/images', kind, 'Dockerfile'))
    )
    assert.deepEqual(missing, [])
  })
})
