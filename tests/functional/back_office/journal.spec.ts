import { listJournal, LOOKED_AT } from '#back_office/journal/list_journal'
import { JOURNAL_FILTERS, type JournalFilters } from '#back_office/journal/journal_props'
import { aStaffMember } from '#tests/support/browser'
import { aSale, sell } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { idAt } from '#shared/journal_position'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'

const none = Object.fromEntries(JOURNAL_FILTERS.map((name) => [name, null])) as JournalFilters
const ask = (filters: Partial<JournalFilters>, viewerId = 0) =>
  listJournal({ ...none, ...filters }, viewerId)

test.group('Journal', () => {
  test('entries are listed newest first, page by page without gaps or repeats', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    const shown: string[] = []
    let before: string | null = null
    do {
      const page = await ask({ before })
      shown.push(...page.rows.map(({ id }) => id))
      before = page.older
    } while (before !== null && shown.length < 200)
    const stored = await rows(
      'SELECT id::text AS id FROM journal ORDER BY journal.id DESC LIMIT ?',
      shown.length
    )
    assert.deepEqual(
      shown,
      stored.map(({ id }) => id as string)
    )
  })

  test('each filter narrows the list, alone and with others', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    const { request_id: request, actor } = await one(
      `SELECT request_id, actor FROM journal WHERE order_id = ? AND name = 'order_confirmed'`,
      sold.order_id
    )
    const day = new Date(Date.now() + 5 * 3600_000).toISOString().slice(0, 10)
    const wide = {
      partner: partner.code,
      event: event.id,
      name: 'order_confirmed',
      kind: 'partner',
    }
    for (const filters of [
      { request },
      { order: sold.order_id, name: 'order_confirmed' },
      { ...wide, from: day, to: day, actor: String(actor).toUpperCase() },
      { event: event.id, order: sold.order_id, request },
    ]) {
      const { rows: found } = await ask(filters)
      assert.deepEqual(
        found.map(({ name, orderId }) => [name, orderId]),
        [['order_confirmed', sold.order_id]]
      )
    }
    for (const filters of [
      { ...wide, to: '2020-01-01' },
      { ...wide, from: '2999-01-01' },
      { ...wide, kind: 'clock' },
      { request: randomUUID() },
      { request: 'no request' },
      { partner: 'nobody' },
      { event: event.id, partner: 'nobody' },
    ]) {
      const { rows: found, older } = await ask(filters)
      assert.deepEqual([found, older], [[], null])
    }
  })

  test('a colleague’s acts are found by who they are, and one’s own as “me”', async ({
    assert,
  }) => {
    const { email } = await aStaffMember('auditor')
    const { id } = await one('SELECT id FROM staff WHERE email = ?', email)
    const actsOf = async (filters: Partial<JournalFilters>, viewerId?: number) => {
      const { rows: found } = await ask(filters, viewerId)
      return found.map(({ name, actorKind }) => [name, actorKind])
    }
    // A partner’s key of the same name is somebody else, and so is a colleague whose e-mail begins with this one.
    await ownerRows(
      `INSERT INTO journal (name, actor_kind, actor) VALUES
         ('list_exported', 'staff', upper(?)), ('view_saved', 'partner', ?), ('view_saved', 'staff', ? || '.kz')`,
      email,
      email,
      email
    )
    const acts = [['list_exported', 'staff']]
    assert.deepEqual(await actsOf({ colleague: String(id) }), acts)
    assert.deepEqual(await actsOf({ colleague: 'me' }, id as number), acts)
    assert.deepEqual(await actsOf({ colleague: 'me', period: 'today' }, id as number), acts)
    assert.deepEqual(await actsOf({ colleague: 'me', period: 'week' }, id as number), acts)
    assert.deepEqual(await actsOf({ colleague: 'me', period: 'yesterday' }, id as number), [])
    for (const nobody of ['me', '999999999', 'nobody'])
      assert.deepEqual(await actsOf({ colleague: nobody }), [], nobody)
  })

  test('a search without an index stops with its position and continues from there', async ({
    assert,
  }) => {
    const actor = `rare-${randomUUID()}`
    await ownerRows(
      `INSERT INTO journal (name, actor_kind, actor) VALUES ('hall_imported', 'console', ?)`,
      actor
    )
    await ownerRows(
      `INSERT INTO journal (name, actor_kind, actor) SELECT 'hall_imported', 'console', 'many' FROM generate_series(1, ?)`,
      LOOKED_AT
    )
    const first = await ask({ actor })
    assert.deepEqual(first.rows, [])
    assert.isNotNull(first.lookedBackTo)
    const { cursor } = await one(
      'SELECT id::text AS cursor FROM journal ORDER BY id DESC OFFSET ? LIMIT 1',
      LOOKED_AT - 1
    )
    assert.equal(first.older, cursor)
    const second = await ask({ actor, before: first.older })
    assert.deepEqual(
      second.rows.map((row) => row.actor),
      [actor]
    )
  })

  test('the place of a moment among the ids is found across months, also empty ones', async ({
    assert,
  }) => {
    const trx = await db.connection('owner').transaction()
    try {
      const {
        rows: [march7, march9, may2],
      } = await trx.rawQuery<{ rows: { id: bigint }[] }>(
        `INSERT INTO journal (at, name, actor_kind, actor)
         SELECT at, 'hall_imported', 'console', 'calendar'
           FROM (VALUES ('2999-03-07Z'::timestamptz), ('2999-03-09Z'), ('2999-05-02Z')) days (at) RETURNING id`
      )
      const found = async (at: string) => idAt(new Date(at), trx)
      assert.equal(await found('2999-03-07T00:00Z'), march7.id)
      assert.equal(await found('2999-03-08T00:00Z'), march9.id)
      assert.equal(await found('2999-03-31T00:00Z'), march9.id + 1n)
      assert.equal(await found('2999-04-15T00:00Z'), march9.id + 1n)
      assert.equal(await found('2999-05-01T00:00Z'), may2.id)
      assert.equal(await found('2999-06-01T00:00Z'), may2.id + 1n)
      const { first } = await one('SELECT min(id) AS first FROM journal')
      assert.equal(await found('1999-01-01T00:00Z'), first)
    } finally {
      await trx.rollback()
    }
  })
})
