import RecordSignInFailure from '#staff/actions/record_sign_in_failure'
import PassSecondFactor from '#staff/pass_second_factor/pass_second_factor'
import UnlockSignIn from '#staff/actions/unlock_sign_in'
import reportSignInFailures from '#staff/jobs/report_sign_in_failures'
import { MOST_WRONG_CODES } from '#staff/second_factor'
import { aStaffMember } from '#tests/support/browser'
import { PageClient, signedIn } from '#tests/support/page_client'
import { setSecondFactor } from '#tests/support/second_factors'
import { one, ownerRows, rows } from '#tests/support/rows'
import limiter from '@adonisjs/limiter/services/main'
import { test } from '@japa/runner'
import { randomInt, randomUUID } from 'node:crypto'

const IN = '/back-office'
const REFUSED = '/back-office/sign-in'
const reason = 'They called from their own phone'
const TRIES = 8
const TRIES_OF_ACCOUNT = 100
const TRIES_OF_NETWORK = 30

// What PostgreSQL folds to a plain i, and JavaScript to two characters.
const DOTTED_I = '\u0130'

const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

async function aPerson(role: Parameters<typeof aStaffMember>[0] = 'support') {
  const person = await aStaffMember(role)
  const { id } = await one('SELECT id FROM staff WHERE email = ?', person.email)
  const actor = { kind: 'staff', name: person.email, requestId: null } as const
  return { ...person, id: id as number, actor }
}
type Person = Awaited<ReturnType<typeof aPerson>>

async function withSecondFactor() {
  const person = await aPerson()
  const { nextCode: rightCode } = await setSecondFactor(person)
  return { ...person, rightCode }
}

/** Where a sign-in leads. */
async function tryFrom(address: string, email: string, password = 'wrong') {
  const { location } = await new PageClient(address).signIn(email, password)
  return location
}
async function failFrom(address: string, email: string, times: number) {
  const client = new PageClient(address)
  await client.get('/sign-in')
  for (let tries = 0; tries < times; tries++)
    await client.post('/sign-in', { email, password: 'wrong' })
}
/** As if many had tried from elsewhere; much quicker than to hash as many passwords. */
async function exhaustAccount({ email }: { email: string }) {
  const whole = limiter.use({ requests: TRIES_OF_ACCOUNT, duration: '15 minutes' })
  await whole.set(`sign_in:password:${email}`, TRIES_OF_ACCOUNT, '15 minutes')
}
const entriesOf = async ({ id }: Person) => {
  const entries = await rows(
    `SELECT actor_kind, actor, change FROM journal
      WHERE name = 'staff_sign_in_failed' AND (change ->> 'staff_id')::int = ? ORDER BY id`,
    id
  )
  return entries
}
const minutesLater = ({ id }: { id: number | null }, minutes: number) =>
  ownerRows(
    `UPDATE staff_sign_in_failures SET reported_at = reported_at - make_interval(mins => ?)
      WHERE staff_id IS NOT DISTINCT FROM ?`,
    minutes,
    id
  )
const shown = async (client: PageClient, { id }: Person) => {
  const { props } = await client.get(`/staff/${id}`)
  return props
}

test.group('Limits of sign-in attempts', (group) => {
  test('an account has one budget, however its e-mail is spelt', async ({ assert }) => {
    const address = anAddress()
    const person = await aPerson()
    await ownerRows(
      'UPDATE staff SET email = ? WHERE id = ?',
      `idris-${person.id}@staff.test`,
      person.id
    )
    await failFrom(address, `idris-${person.id}@staff.test`, TRIES)
    const client = new PageClient(address)
    await client.get('/sign-in')
    await client.post('/sign-in', {
      email: `${DOTTED_I}dris-${person.id}@staff.test`,
      password: person.password,
    })
    assert.equal(await client.statusOf('/'), 302)
  })

  group.each.setup(() => limiter.clear())

  test('one address is blocked for one account; the owner signs in from another', async ({
    assert,
  }) => {
    const [person, other] = [await aPerson(), await aPerson()]
    const [flooding, own] = [anAddress(), anAddress()]
    await failFrom(flooding, person.email, TRIES)
    assert.equal(await tryFrom(flooding, person.email, person.password), REFUSED)
    assert.equal(await tryFrom(flooding, other.email, other.password), IN)
    assert.equal(await tryFrom(own, person.email, person.password), IN)
    assert.equal(await tryFrom(flooding, person.email.toUpperCase(), person.password), REFUSED)
  })

  test('an IPv6 /64 is one sender', async ({ assert }) => {
    const person = await aPerson()
    const prefix = `2001:db8:${randomInt(65536).toString(16)}:1`
    for (let host = 1; host <= TRIES; host++) await tryFrom(`${prefix}::${host}`, person.email)
    assert.equal(await tryFrom(`${prefix}:ffff::1`, person.email, person.password), REFUSED)
    assert.equal(await tryFrom(`${prefix.slice(0, -1)}2::1`, person.email, person.password), IN)
    const { network } = await one(
      'SELECT network FROM staff_sign_in_failures WHERE staff_id = ?',
      person.id
    )
    assert.equal(network, `${prefix}::/64`)
  })

  test('attempts at many accounts block the whole network', async ({ assert }) => {
    const address = anAddress()
    const people = await Promise.all(Array.from({ length: 5 }, () => aPerson()))
    for (const { email } of people.slice(0, 4)) await failFrom(address, email, TRIES)
    assert.equal(TRIES * 4 > TRIES_OF_NETWORK, true)
    assert.equal(await tryFrom(address, people[4].email, people[4].password), REFUSED)
    assert.equal(await tryFrom(anAddress(), people[4].email, people[4].password), IN)
  })

  test('attempts from many networks slow unknown networks down, not known ones or open sessions', async ({
    assert,
  }) => {
    const person = await aPerson()
    const known = anAddress()
    const client = new PageClient(known)
    await client.signIn(person.email, person.password)
    await exhaustAccount(person)
    const unknown = anAddress()
    assert.equal(await tryFrom(unknown, person.email), REFUSED)
    // The one try that an unknown network gets in a while is used up.
    assert.equal(await tryFrom(unknown, person.email, person.password), REFUSED)
    assert.equal(await tryFrom(known, person.email, person.password), IN)
    // A known network has no such limit.
    assert.equal(await tryFrom(known, person.email, person.password), IN)
    assert.equal(await client.statusOf('/'), 200)

    await limiter
      .use({ requests: 1, duration: '15 seconds' })
      .delete(`sign_in:password:${person.email}:slowed:at:${unknown}`)
    assert.equal(await tryFrom(unknown, person.email, person.password), IN)
  })

  test('a network is known for thirty days', async ({ assert }) => {
    const person = await aPerson()
    const known = anAddress()
    await tryFrom(known, person.email, person.password)
    const seen = (daysAgo: number) =>
      ownerRows(
        `UPDATE staff_sessions SET last_seen_at = now() - make_interval(days => ?) WHERE staff_id = ?`,
        daysAgo,
        person.id
      )
    await exhaustAccount(person)
    await seen(29)
    await failFrom(known, person.email, 1)
    assert.equal(await tryFrom(known, person.email, person.password), IN)
    await seen(31)
    await failFrom(known, person.email, 1)
    assert.equal(await tryFrom(known, person.email, person.password), REFUSED)
  })

  test('a blocked network takes nothing from what others have left for the account', async ({
    assert,
  }) => {
    const person = await aPerson()
    await failFrom(anAddress(), person.email, TRIES + 3)
    const whole = limiter.use({ requests: TRIES_OF_ACCOUNT, duration: '15 minutes' })
    const { consumed } = (await whole.get(`sign_in:password:${person.email}`))!
    assert.equal(consumed, TRIES)
  })

  test('a slowed account lets its owner in from a new network while many others keep trying', async ({
    assert,
  }) => {
    const person = await aPerson()
    await exhaustAccount(person)
    const prefix = `2001:db8:${randomInt(65536).toString(16)}`
    for (let network = 1; network <= 6; network++)
      await tryFrom(`${prefix}:${network}::1`, person.email)

    assert.equal(await tryFrom(`${prefix}:7::1`, person.email, person.password), REFUSED)
    assert.equal(await tryFrom(anAddress(), person.email, person.password), IN)
  })

  test('all unknown networks together get thirty tries a minute', async ({ assert }) => {
    const person = await aPerson()
    await exhaustAccount(person)
    const total = limiter.use({ requests: 30, duration: '1 minute' })
    const key = `sign_in:password:${person.email}:slowed`
    await total.set(key, 29, '1 minute')
    assert.equal(await tryFrom(anAddress(), person.email, person.password), IN)
    assert.equal(await tryFrom(anAddress(), person.email, person.password), REFUSED)
    // What a network is refused for itself must not be taken from the others.
    const flooding = anAddress()
    await total.set(key, 0, '1 minute')
    for (let tries = 0; tries < 10; tries++) await tryFrom(flooding, person.email)
    assert.equal(30 - (await total.remaining(key)), 1)
  })

  test('parallel attempts are each counted', async ({ assert }) => {
    const person = await aPerson()
    const address = anAddress()
    await Promise.all(Array.from({ length: 20 }, () => tryFrom(address, person.email)))
    const { failures } = await one(
      'SELECT failures FROM staff_sign_in_failures WHERE staff_id = ?',
      person.id
    )
    assert.equal(failures, TRIES)
  })
})

test.group('Failed sign-ins in the journal', (group) => {
  group.each.setup(() => limiter.clear())
  group.each.setup(async () => {
    await ownerRows('DELETE FROM staff_sign_in_failures')
  })

  test('the first is recorded at once, the others of its minute with a count', async ({
    assert,
  }) => {
    const person = await aPerson()
    const [first, second] = [anAddress(), anAddress()]
    await failFrom(first, person.email, 3)
    await failFrom(second, person.email, 2)
    const [entry, ...more] = await entriesOf(person)
    assert.deepEqual(more, [])
    assert.equal(entry.actor_kind, 'visitor')
    assert.deepEqual(entry.change, {
      staff_id: person.id,
      email: person.email,
      failures: 1,
      addresses: { [first]: 1 },
      more_addresses: null,
    })
    await reportSignInFailures()
    assert.lengthOf(await entriesOf(person), 1)

    await minutesLater(person, 2)
    await reportSignInFailures()
    await reportSignInFailures()
    const [, later, ...none] = await entriesOf(person)
    assert.deepEqual(none, [])
    assert.equal(later.change.failures, 4)
    assert.deepEqual(later.change.addresses, { [first]: 2, [second]: 2 })
  })

  test('an unknown e-mail is recorded without what was typed', async ({ assert }) => {
    const address = anAddress()
    const typed = `my-secret-${randomUUID()}@example.com`
    await failFrom(address, typed, 2)
    const { change } = await one(
      `SELECT change FROM journal WHERE name = 'staff_sign_in_failed' ORDER BY id DESC LIMIT 1`
    )
    assert.deepInclude(change, { staff_id: null, email: null, failures: 1 })
    const { n } = await one(
      `SELECT (SELECT count(*) FROM journal WHERE journal::text LIKE ?)
            + (SELECT count(*) FROM staff_sign_in_failures f WHERE f::text LIKE ?) AS n`,
      `%${typed}%`,
      `%${typed}%`
    )
    assert.equal(Number(n), 0)
  })

  test('a flood from many addresses makes one entry a minute with ten addresses', async ({
    assert,
  }) => {
    const person = await aPerson()
    const failure = { account: { id: person.id }, blockedSeconds: null, slowedSeconds: null }
    const note = (host: number) =>
      new RecordSignInFailure().handle({ ...failure, network: `198.51.100.${host}` })
    await Promise.all(Array.from({ length: 60 }, (_, host) => note(host)))
    assert.lengthOf(await entriesOf(person), 1)
    await minutesLater(person, 2)
    await reportSignInFailures()
    const entries = await entriesOf(person)
    const failures = entries.reduce((sum, { change }) => sum + Number(change.failures), 0)
    assert.equal(failures, 60)
    assert.lengthOf(Object.keys(entries[1].change.addresses as object), 10)
    assert.equal(entries[1].change.more_addresses, 49)
  })

  test('a wrong code is recorded too, and a successful sign-in ends the series', async ({
    assert,
  }) => {
    const person = await withSecondFactor()
    const address = anAddress()
    const client = new PageClient(address)
    await client.signIn(person.email, person.password)
    await client.get('/sign-in/code')
    await client.post('/sign-in/code', { code: '000000' })
    assert.lengthOf(await entriesOf(person), 1)
    await client.post('/sign-in/code', { code: person.rightCode() })
    const { failures } = await one(
      'SELECT failures FROM staff_sign_in_failures WHERE staff_id = ?',
      person.id
    )
    assert.equal(failures, 0)
  })

  test('failures after a pause of fifteen minutes begin a new series', async ({ assert }) => {
    const person = await aPerson()
    const address = anAddress()
    const failures = async () => {
      const sql = 'SELECT failures FROM staff_sign_in_failures WHERE staff_id = ?'
      const { failures: count } = await one(sql, person.id)
      return count as number
    }
    await failFrom(address, person.email, 2)
    assert.equal(await failures(), 2)
    await ownerRows(
      `UPDATE staff_sign_in_failures SET last_at = last_at - interval '16 minutes' WHERE staff_id = ?`,
      person.id
    )
    await failFrom(address, person.email, 1)
    assert.equal(await failures(), 1)
  })

  test('reported failures are deleted after a day', async ({ assert }) => {
    const person = await aPerson()
    await failFrom(anAddress(), person.email, 1)
    await ownerRows(`UPDATE staff_sign_in_failures SET last_at = last_at - interval '25 hours'`)
    await reportSignInFailures()
    assert.isUndefined(
      await one('SELECT 1 FROM staff_sign_in_failures WHERE staff_id = ?', person.id)
    )
  })
})

test.group('Wrong codes', (group) => {
  group.each.setup(() => limiter.clear())
  const failTimes = async ({ id, actor }: Person, times: number) => {
    const outcomes = []
    for (let tries = 0; tries < times; tries++)
      outcomes.push(await new PassSecondFactor().handle({ id, code: 'not-a-code', actor }))
    return outcomes
  }
  const pass = ({ id, actor, rightCode }: Awaited<ReturnType<typeof withSecondFactor>>) =>
    new PassSecondFactor().handle({ id, code: rightCode(), actor })

  test('lock the second factor after a total, however slowly they come; a right one resets the count', async ({
    assert,
  }) => {
    const person = await withSecondFactor()
    await failTimes(person, MOST_WRONG_CODES - 1)
    assert.equal(await pass(person), 'passed')

    const outcomes = await failTimes(person, MOST_WRONG_CODES)
    assert.deepEqual(new Set(outcomes.slice(0, -1)), new Set(['wrong']))
    assert.equal(outcomes.at(-1), 'locked')
    await ownerRows('UPDATE staff SET totp_last_step = 0 WHERE id = ?', person.id)
    assert.equal(await pass(person), 'locked')
    const locked = await rows(
      `SELECT actor_kind, change FROM journal
        WHERE name = 'staff_second_factor_locked' AND change ->> 'email' = ?`,
      person.email
    )
    assert.deepEqual(locked, [
      { actor_kind: 'visitor', change: { email: person.email, failures: MOST_WRONG_CODES } },
    ])
  })

  test('an administrator sees the lock and removes it; the code page names the administrators', async ({
    assert,
  }) => {
    const [admin, person] = [await aPerson('admin'), await withSecondFactor()]
    await failTimes(person, MOST_WRONG_CODES)
    await ownerRows('UPDATE staff SET totp_last_step = 0 WHERE id = ?', person.id)
    const theirs = await signedIn(person)
    await theirs.get('/sign-in/code')
    const sent = theirs.post('/sign-in/code', { code: person.rightCode() })
    assert.deepEqual(await theirs.errorsAfter(sent), { code: 'sign_in.locked_code' })

    const client = await signedIn(admin)
    const { member } = await shown(client, person)
    assert.isNotNull(member.signIn.factorLockedAt)
    assert.equal(member.wrongCodes, MOST_WRONG_CODES)
    await client.delete(`/staff/${person.id}/sign-in-lock`, { reason })
    const { location } = await theirs.post('/sign-in/code', { code: person.rightCode() })
    assert.equal(location, IN)
  })

  test('resetting the second factor removes the lock', async ({ assert }) => {
    const [admin, person] = [await aPerson('admin'), await withSecondFactor()]
    await failTimes(person, MOST_WRONG_CODES)
    const client = await signedIn(admin)
    await client.get(`/staff/${person.id}`)
    await client.delete(`/staff/${person.id}/second-factor`, { reason })
    const { member } = await shown(client, person)
    assert.deepEqual([member.signIn.factorLockedAt, member.wrongCodes], [null, 0])
  })

  test('parallel wrong codes are each counted', async ({ assert }) => {
    const { id, actor } = await withSecondFactor()
    const tries = Array.from({ length: MOST_WRONG_CODES + 10 }, () =>
      new PassSecondFactor().handle({ id, code: 'not-a-code', actor })
    )
    const outcomes = await Promise.all(tries)
    assert.lengthOf(
      outcomes.filter((outcome) => outcome === 'locked'),
      11
    )
  })
})

test.group('Unlocking a colleague', (group) => {
  group.each.setup(() => limiter.clear())

  test('a locked colleague is shown with failures and addresses, and unlocked with a reason', async ({
    assert,
  }) => {
    const [admin, person] = [await aPerson('admin'), await aPerson('gate')]
    const [theirs, foreign] = [anAddress(), anAddress()]
    await failFrom(theirs, person.email, TRIES)
    await failFrom(foreign, person.email, 2)
    assert.equal(await tryFrom(theirs, person.email, person.password), REFUSED)

    const client = await signedIn(admin)
    const { props: list } = await client.get(`/staff?q=${person.email}`)
    const [{ signIn }] = list.people
    assert.deepInclude(signIn, { failures: 10, networks: 2, slowedUntil: null })
    const minutes = (Date.parse(signIn.blockedUntil) - Date.now()) / 60_000
    assert.isTrue(minutes > 10 && minutes <= 15, String(minutes))
    const { failedNetworks } = await shown(client, person)
    assert.sameDeepMembers(
      failedNetworks.map(({ network, failures }: { network: string; failures: number }) => [
        network,
        failures,
      ]),
      [
        [theirs, TRIES],
        [foreign, 2],
      ]
    )

    await client.delete(`/staff/${person.id}/sign-in-lock`, { reason })
    assert.equal(await tryFrom(theirs, person.email, person.password), IN)
    const { failedNetworks: none } = await shown(client, person)
    assert.deepEqual(none, [])
    const { actor, change } = await one(
      `SELECT actor, change FROM journal
        WHERE name = 'staff_sign_in_unlocked' AND change ->> 'email' = ?`,
      person.email
    )
    assert.equal(actor, admin.email)
    assert.deepEqual(change, { email: person.email, reason, failures: 10 })
  })

  test('a colleague slowed down by a flood is shown and unlocked', async ({ assert }) => {
    const [admin, person] = [await aPerson('admin'), await aPerson()]
    const whole = limiter.use({ requests: TRIES_OF_ACCOUNT, duration: '15 minutes' })
    await whole.set(`sign_in:password:${person.email}`, TRIES_OF_ACCOUNT - 1, '15 minutes')
    await failFrom(anAddress(), person.email, 1)
    const client = await signedIn(admin)
    const { member } = await shown(client, person)
    assert.isNotNull(member.signIn.slowedUntil)

    const theirs = anAddress()
    await failFrom(theirs, person.email, 1)
    assert.equal(await tryFrom(theirs, person.email, person.password), REFUSED)
    await client.delete(`/staff/${person.id}/sign-in-lock`, { reason })
    assert.equal(await tryFrom(theirs, person.email, person.password), IN)
    const { member: after } = await shown(client, person)
    assert.isNull(after.signIn.slowedUntil)

    // What their network and provider had used up is free, too, when others slow the account down again.
    const provider = `${theirs.split('.').slice(0, 2).join('.')}.0.0/16`
    await limiter
      .use({ requests: 5, duration: '1 minute' })
      .set(`sign_in:password:${person.email}:slowed:by:${provider}`, 5, '1 minute')
    await failFrom(theirs, person.email, 1)
    await ownerRows('DELETE FROM staff_sessions WHERE staff_id = ?', person.id)
    await client.delete(`/staff/${person.id}/sign-in-lock`, { reason })
    await exhaustAccount(person)
    assert.equal(await tryFrom(theirs, person.email, person.password), IN)
  })

  test('unlocking during a flood of failures deadlocks nothing and loses no count', async ({
    assert,
  }) => {
    const [admin, person] = [await aPerson('admin'), await aPerson()]
    const failure = { account: { id: person.id }, blockedSeconds: 60, slowedSeconds: 60 }
    const acts = Array.from({ length: 40 }, (_, turn) =>
      turn % 4 === 0
        ? new UnlockSignIn().handle({ id: person.id, reason, actor: admin.actor })
        : new RecordSignInFailure().handle({ ...failure, network: `192.0.2.${turn}` })
    )
    const outcomes = await Promise.allSettled(acts)
    const broken = outcomes.filter(({ status }) => status === 'rejected')
    assert.deepEqual(broken, [])
    const { n } = await one(
      `SELECT sum((change ->> 'failures')::int)::int AS n FROM journal
        WHERE name = 'staff_sign_in_failed' AND (change ->> 'staff_id')::int = ?`,
      person.id
    )
    const { left } = await one(
      'SELECT coalesce(sum(unreported), 0)::int AS "left" FROM staff_sign_in_failures WHERE staff_id = ?',
      person.id
    )
    assert.equal(Number(n) + Number(left), 30)
  })

  test('nobody unlocks their own account, nor without the permission or a reason', async ({
    assert,
  }) => {
    const [admin, auditor, person] = [
      await aPerson('admin'),
      await aPerson('auditor'),
      await aPerson(),
    ]
    const client = await signedIn(admin)
    await client.get(`/staff/${admin.id}`)
    const own = client.delete(`/staff/${admin.id}/sign-in-lock`, { reason })
    assert.deepEqual(await client.errorsAfter(own), { form: 'refused.NOT_YOURSELF' })
    await client.get(`/staff/${person.id}`)
    const silent = client.delete(`/staff/${person.id}/sign-in-lock`, { reason: ' ' })
    assert.deepEqual(await client.errorsAfter(silent), { reason: 'fields.required' })
    const reading = await signedIn(auditor)
    const { status } = await reading.delete(`/staff/${person.id}/sign-in-lock`, { reason })
    assert.equal(status, 403)
  })
})
