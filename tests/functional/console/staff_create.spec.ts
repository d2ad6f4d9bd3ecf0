import { one, rows } from '#tests/support/rows'
import hash from '@adonisjs/core/services/hash'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { run } from './support.js'

const anEmail = () => `${randomUUID()}@staff.test`

test.group('staff:create', () => {
  test('creates a person and shows the temporary password once', async ({ assert }) => {
    const email = anEmail()
    const { exitCode, text } = await run('staff:create', email, '--name=New', '--role=admin')

    assert.equal(exitCode, 0)
    const [, password] = /temporary password (\S+) \(shown once\)/.exec(text)!
    const person = await one('SELECT * FROM staff WHERE email = ?', email)
    assert.equal(person.role, 'admin')
    assert.isTrue(person.password_is_temporary)
    assert.isTrue(await hash.verify(person.password as string, password))
  })

  test('refuses an e-mail in use, an invalid one and unknown roles', async ({ assert }) => {
    const email = anEmail()
    await run('staff:create', email, '--name=New', '--role=gate')
    const again = await run('staff:create', email.toUpperCase(), '--name=New', '--role=gate')
    const noEmail = await run('staff:create', 'nobody', '--name=New', '--role=gate')
    const noRole = await run('staff:create', anEmail(), '--name=New', '--role=boss')

    assert.deepEqual([again.exitCode, noEmail.exitCode, noRole.exitCode], [1, 1, 1])
    assert.match(again.text, /ALREADY_EXISTS/)
    assert.match(noEmail.text, /is not an e-mail/)
    assert.match(noRole.text, /must be one of admin/)
    assert.lengthOf(await rows('SELECT 1 FROM staff WHERE lower(email) = ?', email), 1)
  })
})
