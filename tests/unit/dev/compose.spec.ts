import { QUEUES } from '#start/schedule'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readFile } from 'node:fs/promises'

test.group('compose.yaml', () => {
  test('its workers together serve every queue', async ({ assert }) => {
    const text = await readFile(app.makePath('compose.yaml'), 'utf8')
    const queues = [...text.matchAll(/--queues=([a-z]+)/g)].map(([, name]) => name)
    assert.sameMembers(queues, Object.keys(QUEUES))
  })
})
