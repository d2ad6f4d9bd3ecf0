import { QUEUES } from '#start/schedule'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { baseImages } from '../../../dev/drills/compose/base_images.ts'

test.group('compose.yaml', () => {
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
