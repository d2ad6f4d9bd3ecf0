import { OWASP_COST } from '#config/hash'
import platform from '#config/platform'
import CreateStaff from '#staff/actions/create_staff'
import DisableStaff from '#staff/actions/disable_staff'
import PassSecondFactor from '#staff/pass_second_factor/pass_second_factor'
import RenewRecoveryCodes from '#staff/actions/renew_recovery_codes'
import ResetSecondFactor from '#staff/actions/reset_second_factor'
import SetSecondFactor from '#staff/actions/set_second_factor'
import { encryptTotpSecret, newTotpSecret, openTotpSecret } from '#staff/second_factor'
import { SHORTEST_PASSWORD } from '#staff/password'
import type { Role } from '#staff/role'
import { findStaffByEmail } from '#staff/queries/find_staff'
import { findPendingSignIn, rememberPendingSignIn } from '#staff_area/sign_in/pending_sign_in'
import { codeOf, STEP_MS } from '#tests/support/authenticator'
import { aStaffMember } from '#tests/support/browser'
import { TESTER } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { signedIn, PageClient } from '#tests/support/page_client'
import { setSecondFactor } from '#tests/support/second_factors'
import { StaffClient } from '#tests/support/staff_client'
import { Scrypt } from '@adonisjs/core/hash/drivers/scrypt'
import app from '@adonisjs/core/services/app'
import hash from '@adonisjs/core/services/hash'
import testUtils from '@adonisjs/core/services/test_utils'
import { SessionMiddlewareFactory } from '@adonisjs/session/factories'
import limiter from '@adonisjs/limiter/services/main'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const GOOD = 'correct horse battery staple'
const idOf = async (email: string) => {
  const { id } = await one('SELECT id FROM staff WHERE email = ?', email)
  return id as number
}
const journalOf = async (email: string) => {
  const entries = await rows('SELECT name FROM journal WHERE actor = ? ORDER BY id', email)
  return entries.map(({ name }) => name as string)
}

/** Somebody with an authenticator, and their recovery codes. */
async function withSecondFactor(role: Role) {
  const person = await aStaffMember(role)
  return { ...person, ...(await setSecondFactor(person)) }
}
/** What signing in knows once the password was right. */
async function passwordOf(email: string) {
  const { passwordSetAt, ...staff } = (await findStaffByEmail.first({ email }))!
  return { staff, passwordSetAt }
}
const nextCode = (secret: string) => codeOf(secret, Date.now() + STEP_MS)

test.group('Passwords', (group) => {
  group.each.setup(() => limiter.clear())

  test('a temporary password has to be changed before anything else', async ({ assert }) => {
    const email = `${randomUUID()}@staff.test`
    const about = { email, name: 'New', role: 'support', actor: TESTER } as const
    const { password } = await new CreateStaff().handle(about)
    const client = await signedIn({ email, password })
    for (const path of ['/', '/orders', '/account', '/account/second-factor']) {
      const { location } = await client.get(path)
      assert.equal(location, '/back-office/account/password', path)
    }
    const { location: refused } = await client.delete('/account/sessions')
    assert.equal(refused, '/back-office/account/password')

    await client.get('/account/password')
    const change = { currentPassword: password, password: GOOD }
    const { location } = await client.put('/account/password', change)
    assert.equal(location, '/back-office')
    const { component } = await client.get('/')
    assert.equal(component, 'overview/show')
    assert.deepEqual(await journalOf(email), ['staff_signed_in', 'staff_password_changed'])

    const later = await signedIn({ email, password })
    const { location: out } = await later.get('/')
    assert.equal(out, '/back-office/sign-in')
  })

  test('a change needs the current password and a strong new one', async ({ assert }) => {
    const person = await aStaffMember('support')
    const client = await signedIn(person)
    const [name] = person.email.split('@')
    const tries = [
      ['wrong', GOOD, { currentPassword: 'account.wrong_password' }],
      [person.password, 'short', { password: 'account.password_too_short' }],
      [person.password, 'aaaaaaaaaaaaaaaaaa', { password: 'account.password_guessable' }],
      [person.password, `${name} is my name`, { password: 'account.password_guessable' }],
      [person.password, 'Qwertyuiop123', { password: 'account.password_common' }],
      [person.password, person.password, { password: 'account.password_same' }],
    ] as const
    for (const [currentPassword, password, expected] of tries) {
      await client.get('/account/password')
      const sent = client.put('/account/password', { currentPassword, password })
      assert.deepEqual(await client.errorsAfter(sent), expected)
    }
    assert.deepEqual(await journalOf(person.email), ['staff_signed_in'])
  })

  test('a changed password ends the other sessions', async ({ assert }) => {
    const person = await aStaffMember('support')
    const [here, there] = [await signedIn(person), await signedIn(person)]
    const change = { currentPassword: person.password, password: GOOD }
    await here.put('/account/password', change)
    assert.equal(await here.statusOf('/'), 200)
    assert.equal(await there.sentTo('/'), '/back-office/sign-in')
  })

  test('the list has the commonest 3,000 at least that the other rules accept', async ({
    assert,
  }) => {
    const text = await readFile(app.makePath('resources/passwords/common.txt'), 'utf8')
    const list = text.trimEnd().split('\n')
    assert.isAtLeast(new Set(list).size, 3_000)
    for (const password of list) {
      assert.isAtLeast(password.length, SHORTEST_PASSWORD)
      assert.isAtLeast(new Set(password).size, SHORTEST_PASSWORD / 2)
      assert.equal(password, password.toLowerCase())
    }
  })

  test('a hash of another cost is replaced at the next sign-in, and nothing else changes', async ({
    assert,
  }) => {
    const { email, password } = await aStaffMember('support')
    const former = await new Scrypt({ cost: 2 ** 10 }).make(password)
    await rows('UPDATE staff SET password = ? WHERE email = ?', former, email)
    const stored = () => one('SELECT password, password_set_at FROM staff WHERE email = ?', email)
    const before = await stored()

    await new PageClient().signIn(email, 'wrong')
    assert.deepEqual(await stored(), before)

    await signedIn({ email, password })
    const after = await stored()
    assert.notEqual(after.password, former)
    assert.isFalse(hash.needsReHash(after.password as string))
    assert.deepEqual(after.password_set_at, before.password_set_at)
    await signedIn({ email, password })
    assert.deepEqual(await stored(), after)
  })

  test("a deployment hashes at one of OWASP's equivalent costs", ({ assert }) => {
    // Password Storage Cheat Sheet, scrypt: N, r, p.
    const equivalents = [17, 16, 15, 14, 13].map((power, place) => ({
      cost: 2 ** power,
      blockSize: 8,
      parallelization: [1, 2, 3, 5, 10][place],
    }))
    assert.deepInclude(equivalents, OWASP_COST)
  })

  test('wrong current passwords are counted', async ({ assert }) => {
    const person = await aStaffMember('support')
    const client = await signedIn(person)
    await client.get('/account/password')
    for (let tries = 0; tries < 8; tries++)
      await client.put('/account/password', { currentPassword: `wrong ${tries}`, password: GOOD })
    const change = { currentPassword: person.password, password: GOOD }
    const errors = await client.errorsAfter(client.put('/account/password', change))
    assert.deepEqual(errors, { currentPassword: 'account.too_many_tries' })
  })

  test('a new password that is refused does not count as a wrong current one', async ({
    assert,
  }) => {
    const { email, password } = await aStaffMember('support')
    const client = await signedIn({ email, password })
    await client.get('/account/password')
    for (let tries = 0; tries < 9; tries++)
      await client.put('/account/password', { currentPassword: password, password: 'short' })
    await client.put('/account/password', { currentPassword: password, password: GOOD })
    assert.include(await journalOf(email), 'staff_password_changed')
  })
})

test.group('Second factor', (group) => {
  group.each.setup(() => limiter.clear())
  group.each.setup(() => () => {
    platform.requiresSecondFactor = false
  })

  test('{$self} sets up a required second factor before anything else')
    .with(['admin', 'operations', 'support', 'finance', 'auditor'] as const)
    .run(async ({ assert }, role) => {
      platform.requiresSecondFactor = true
      const person = await aStaffMember(role)
      const client = await signedIn(person)
      for (const path of ['/', '/orders', '/account', '/account/recovery-codes']) {
        const { location } = await client.get(path)
        assert.equal(location, '/back-office/account/second-factor', path)
      }
      const { props } = await client.get('/account/second-factor')
      assert.match(props.qr, /^data:image\/svg\+xml;base64,/)
      const { secret } = props as { secret: string }

      const wrong = { code: codeOf(secret, 0), currentPassword: person.password }
      const errors = await client.errorsAfter(client.put('/account/second-factor', wrong))
      assert.deepEqual(errors, { code: 'account.wrong_code' })

      const right = { code: codeOf(secret), currentPassword: person.password }
      const stranger = { ...right, currentPassword: 'wrong' }
      const refused = await client.errorsAfter(client.put('/account/second-factor', stranger))
      assert.deepEqual(refused, { currentPassword: 'account.wrong_password' })
      const { location } = await client.put('/account/second-factor', right)
      assert.equal(location, '/back-office/account/recovery-codes')
      const { props: once } = await client.get('/account/recovery-codes')
      assert.lengthOf(new Set(once.codes), 10)
      const { location: again } = await client.get('/account/recovery-codes')
      assert.equal(again, '/back-office/account')
      assert.equal(await client.statusOf('/'), 200)

      const drop = client.delete('/account/second-factor', { currentPassword: person.password })
      assert.deepEqual(await client.errorsAfter(drop), { form: 'refused.SECOND_FACTOR_REQUIRED' })
    })

  test('each step of signing in gives the session a new id, and no former one is worth anything', async ({
    assert,
  }) => {
    const { email, password, secret } = await withSecondFactor('admin')
    const client = new StaffClient()
    const former: string[] = []
    const post = (path: string, body: object) => {
      former.push(client.session!)
      return client.send('POST', `/back-office${path}`, body)
    }
    /** Where somebody is sent who has kept a former cookie and looks for the second step. */
    const whereTo = async (session: string) => {
      const path = '/back-office/sign-in/code'
      const thief = new StaffClient()
      const { headers } = await thief.send('GET', path, undefined, { Cookie: `staff=${session}` })
      return headers.get('location')
    }

    await client.get('/back-office/sign-in')
    await post('/sign-in', { email, password })
    assert.isNull(await whereTo(client.session!))
    await post('/sign-in/code', { code: nextCode(secret) })

    const { status } = await client.get('/back-office')
    assert.equal(status, 200)
    assert.lengthOf(new Set([...former, client.session]), 3)
    for (const session of former) assert.equal(await whereTo(session), '/back-office/sign-in')
  })

  test('gate staff may do without a required second factor', async ({ assert }) => {
    platform.requiresSecondFactor = true
    const client = await signedIn(await aStaffMember('gate'))
    assert.equal(await client.statusOf('/gate'), 200)
  })

  test('the password alone opens no page', async ({ assert }) => {
    const person = await withSecondFactor('support')
    const client = new PageClient()
    const { location } = await client.signIn(person.email, person.password)
    assert.equal(location, '/back-office/sign-in/code')
    assert.equal(await client.sentTo('/'), '/back-office/sign-in')
    assert.notInclude(await journalOf(person.email), 'staff_signed_in')

    await client.get('/sign-in/code')
    await client.post('/sign-in/code', { code: nextCode(person.secret) })
    assert.equal(await client.statusOf('/'), 200)
  })

  test('a second factor is awaited for five minutes', async ({ assert }) => {
    const person = await withSecondFactor('support')
    const ctx = await testUtils.createHttpContext()
    const sessions = await new SessionMiddlewareFactory().create()
    await sessions.handle(ctx, async () => {
      rememberPendingSignIn(ctx, await passwordOf(person.email))
      const pending = ctx.session.get('pendingSignIn') as { until: number }
      assert.closeTo(pending.until, Date.now() + 5 * 60_000, 10_000)
      const found = await findPendingSignIn(ctx)
      assert.equal(found?.id, person.id)
      ctx.session.put('pendingSignIn', { ...pending, until: Date.now() - 1 })
      assert.isUndefined(await findPendingSignIn(ctx))
    })
  })

  test('a code is valid once, including the code of the enrolment', async ({ assert }) => {
    const person = await withSecondFactor('support')
    const code = nextCode(person.secret)
    const tryWith = async (tried: string) => {
      const client = await signedIn(person)
      await client.get('/sign-in/code')
      return client.post('/sign-in/code', { code: tried })
    }
    const outcomes = []
    for (const tried of [codeOf(person.secret), code, code]) {
      const { location } = await tryWith(tried)
      outcomes.push(location)
    }
    const refused = '/back-office/sign-in/code'
    assert.deepEqual(outcomes, [refused, '/back-office', refused])
  })

  test('one of two simultaneous sign-ins with one code succeeds', async ({ assert }) => {
    const { id, secret, codes, actor } = await withSecondFactor('support')
    for (const code of [nextCode(secret), codes[0]]) {
      const tries = [0, 1, 2, 3].map(() => new PassSecondFactor().handle({ id, code, actor }))
      const passed = await Promise.all(tries)
      assert.lengthOf(
        passed.filter((outcome) => outcome === 'passed'),
        1
      )
    }
  })

  test('another authenticator replaces the recovery codes, and opens for nobody else', async ({
    assert,
  }) => {
    const person = await withSecondFactor('support')
    const stored = async () => {
      const { codes } = await one(
        'SELECT count(*)::int AS codes FROM staff_recovery_codes WHERE staff_id = ?',
        person.id
      )
      return codes as number
    }
    const secret = newTotpSecret()
    const proof = { code: codeOf(secret), currentPassword: person.password }
    const { id, actor } = person
    await new SetSecondFactor().handle({ id, secret, ...proof, sessionId: randomUUID(), actor })
    assert.equal(await stored(), 10)
    const encrypted = encryptTotpSecret(id, secret)
    assert.equal(openTotpSecret(id, encrypted), secret)
    assert.isNull(openTotpSecret(id + 1, encrypted))
  })

  test('sessions end that were open before the second factor was set', async ({ assert }) => {
    const person = await aStaffMember('support')
    const [here, there] = [await signedIn(person), await signedIn(person)]
    const { props } = await here.get('/account/second-factor')
    const proof = { code: codeOf(props.secret as string), currentPassword: person.password }
    await here.put('/account/second-factor', proof)
    assert.equal(await here.statusOf('/'), 200)
    assert.equal(await there.sentTo('/'), '/back-office/sign-in')
  })

  test('recovery codes are renewed with the own password only', async ({ assert }) => {
    const { id, codes, actor, password } = await withSecondFactor('support')
    const renew = (currentPassword: string) =>
      new RenewRecoveryCodes().handle({ id, currentPassword, actor })
    const first = { id, code: codes[0], actor }
    await assert.rejects(() => renew('wrong'))
    assert.equal(await new PassSecondFactor().handle(first), 'passed')
    const renewed = await renew(password)
    assert.equal(await new PassSecondFactor().handle({ ...first, code: codes[1] }), 'wrong')
    assert.equal(await new PassSecondFactor().handle({ ...first, code: renewed[0] }), 'passed')
  })

  test('a reset of the second factor ends all sessions', async ({ assert }) => {
    const person = await withSecondFactor('support')
    const client = await signedIn(person)
    await client.get('/sign-in/code')
    await client.post('/sign-in/code', { code: nextCode(person.secret) })
    assert.equal(await client.statusOf('/'), 200)
    await new ResetSecondFactor().handle({ id: person.id, reason: 'Новый телефон', actor: TESTER })
    assert.equal(await client.sentTo('/'), '/back-office/sign-in')
  })

  test('a recovery code is valid once, however it is formatted', async ({ assert }) => {
    const person = await withSecondFactor('support')
    const [code] = person.codes
    for (const [typed, leadsTo] of [
      [code.toUpperCase().replaceAll('-', ' '), '/back-office'],
      [code, '/back-office/sign-in/code'],
    ]) {
      const client = await signedIn(person)
      await client.get('/sign-in/code')
      const { location } = await client.post('/sign-in/code', { code: typed })
      assert.equal(location, leadsTo)
    }
    const { change } = await one(
      `SELECT change FROM journal WHERE name = 'staff_recovery_code_used' AND actor = ?`,
      person.email
    )
    assert.deepEqual(change, { left: 9 })
  })

  test('after eight wrong codes even a right one has to wait', async ({ assert }) => {
    const person = await withSecondFactor('support')
    const client = await signedIn(person)
    await client.get('/sign-in/code')
    for (let tries = 0; tries < 8; tries++)
      await client.post('/sign-in/code', { code: String(tries).padStart(6, '0') })
    const sent = client.post('/sign-in/code', { code: nextCode(person.secret) })
    assert.deepEqual(await client.errorsAfter(sent), { code: 'sign_in.throttled' })
  })

  test('a password changed during sign-in has to be entered again', async ({ assert }) => {
    const person = await withSecondFactor('support')
    const client = await signedIn(person)
    await client.get('/sign-in/code')
    await ownerRows('UPDATE staff SET password_set_at = now() WHERE id = ?', person.id)
    const sent = client.post('/sign-in/code', { code: nextCode(person.secret) })
    assert.deepEqual(await client.errorsAfter(sent), { form: 'sign_in.half_expired' })
  })

  test('the secret is stored encrypted and recovery codes as digests', async ({ assert }) => {
    const { id, secret, codes } = await withSecondFactor('support')
    const stored = JSON.stringify([
      await rows('SELECT staff::text AS stored FROM staff WHERE id = ?', id),
      await rows('SELECT * FROM staff_recovery_codes WHERE staff_id = ?', id),
    ])
    for (const storedText of [secret, ...codes, codes[0].replaceAll('-', '')])
      assert.notInclude(stored, storedText)
  })
})

test.group('Sessions', (group) => {
  group.each.setup(() => limiter.clear())

  test('a session ended from elsewhere is over at once', async ({ assert }) => {
    const person = await aStaffMember('support')
    const clients = [await signedIn(person), await signedIn(person), await signedIn(person)]
    const [here, second, third] = clients
    const { props: ofSecond } = await second.get('/account')
    assert.lengthOf(ofSecond.sessions, 3)

    await here.delete(`/account/sessions/${ofSecond.ownSession}`)
    assert.equal(await second.sentTo('/'), '/back-office/sign-in')
    assert.equal(await third.statusOf('/'), 200)

    await here.delete('/account/sessions')
    assert.equal(await third.sentTo('/'), '/back-office/sign-in')
    const { props } = await here.get('/account')
    assert.lengthOf(props.sessions, 1)
  })

  test('a session ends with its sign-out, for the other sessions of the person, too', async ({
    assert,
  }) => {
    const person = await aStaffMember('support')
    const [here, other] = [await signedIn(person), await signedIn(person)]
    await other.post('/sign-out')
    const { props } = await here.get('/account')
    assert.deepEqual(
      props.sessions.map(({ id }: { id: string }) => id),
      [props.ownSession]
    )
  })

  test('a session is over a day after it began, however much it is used', async ({ assert }) => {
    const person = await aStaffMember('admin')
    const client = await signedIn(person)
    const id = await idOf(person.email)
    const age = (by: string) =>
      ownerRows(
        `UPDATE staff_sessions SET began_at = now() - ?::interval WHERE staff_id = ?`,
        by,
        id
      )
    await age('23 hours 59 minutes')
    assert.equal(await client.statusOf('/'), 200)
    await age('24 hours 1 second')
    assert.equal(await client.sentTo('/'), '/back-office/sign-in')
  })

  test('nobody ends another person’s session', async ({ assert }) => {
    const [theirs, mine] = [
      await signedIn(await aStaffMember('support')),
      await signedIn(await aStaffMember('support')),
    ]
    const { props } = await theirs.get('/account')
    await mine.delete(`/account/sessions/${props.ownSession}`)
    assert.equal(await theirs.statusOf('/'), 200)
  })

  test('a disabled person is signed out at once and stays out', async ({ assert }) => {
    const person = await aStaffMember('support')
    const client = await signedIn(person)
    const id = await idOf(person.email)
    await new DisableStaff().handle({ id, reason: 'Left', actor: TESTER })
    assert.equal(await client.sentTo('/'), '/back-office/sign-in')
    const { location } = await client.signIn(person.email, person.password)
    assert.equal(location, '/back-office/sign-in')
  })

  test('a page that is still open learns that its session has ended, and is not led away', async ({
    assert,
  }) => {
    const client = await StaffClient.signedIn('support')
    const outdated = await client.send('GET', '/back-office', undefined, { 'X-Inertia': 'true' })
    const version = outdated.headers.get('X-Inertia-Version')!
    const form = { 'X-Inertia': 'true', 'X-Inertia-Version': version }
    const part = { ...form, 'X-Inertia-Partial-Component': 'overview/show' }
    await client.send('POST', '/back-office/sign-out', {})

    const answers = [
      await client.send('DELETE', '/back-office/account/sessions', {}, form),
      await client.send('GET', '/back-office', undefined, part),
      await client.send('GET', '/back-office', undefined, form),
      await client.send('GET', '/back-office'),
    ]
    const seen = answers.map(({ status, headers }) => [status, headers.get('WWW-Authenticate')])
    const signedOut = [401, 'Session realm="back office"']
    assert.deepEqual(seen, [signedOut, signedOut, [302, null], [302, null]])
  })

  test('a form of an ended session changes nothing and says why', async ({ assert }) => {
    const person = await aStaffMember('support')
    const stale = new PageClient()
    const sent = stale.post('/sign-in', person)
    const { status, location } = await sent
    assert.deepEqual([status, location], [303, '/back-office'])
    const { props } = await stale.get('/sign-in')
    assert.deepEqual(props.errors, { form: 'refused.FORM_EXPIRED' })
  })
})
