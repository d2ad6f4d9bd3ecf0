import en from '#resources/lang/en/exports.json' with { type: 'json' }
import kk from '#resources/lang/kk/exports.json' with { type: 'json' }
import ru from '#resources/lang/ru/exports.json' with { type: 'json' }
import { LANGUAGES } from '#shared/languages'
import { aStaffMember } from '#tests/support/browser'
import { aPartner, anEvent, aSale, sell } from '#tests/support/fixtures'
import { one, rows } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import PingEndpoint from '#webhooks/actions/ping_endpoint'
import type { Role } from '#staff/role'
import { test } from '@japa/runner'
import { parse } from 'csv-parse/sync'
import { randomUUID } from 'node:crypto'

type Line = Record<string, string>

const HEADINGS = { ru, kk, en }
/** Names of lists → where their files are. */
const LISTS = {
  journal: 'journal',
  orders: 'orders',
  events: 'events',
  staff: 'staff',
  partners: 'partners',
  webhook_deliveries: 'webhooks',
  settlement: 'settlement',
  cases: 'cases',
} as const

/** The rows of a file, without its second line, which is for people. */
async function taken(role: Role, path: string): Promise<Line[]> {
  const staff = await StaffClient.signedIn(role)
  const answer = await staff.get(`/back-office/${path}`)
  const [, ...lines] = parse<Line>(await answer.text(), {
    bom: true,
    delimiter: ';',
    columns: true,
  })
  return lines
}

test.group('Exports of lists', () => {
  test('an export holds the rows that the list shows', async ({ assert }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    const staff = await StaffClient.signedIn('support')
    const answer = await staff.get(`/back-office/orders.csv?q=${sold.order_id}`)
    const text = await answer.text()
    const [head, , line, ...more] = text.trim().split('\n')
    assert.match(head, /^\uFEFF?order_id;created_at;/)
    assert.include(line, sold.order_id)
    assert.deepEqual(more, [])
  })

  test('a query that fails midway breaks off its download alone', async ({ assert, cleanup }) => {
    const staff = await StaffClient.signedIn('support')
    await rows('ALTER TABLE booking_seats RENAME TO booking_seats_away')
    const put = async () => {
      await rows('ALTER TABLE IF EXISTS booking_seats_away RENAME TO booking_seats')
    }
    cleanup(put)
    const broken = await staff.get('/back-office/orders.csv').then(
      async (answer) => {
        const text = await answer.text()
        return answer.ok ? `a whole file of ${text.length} letters` : 'an error'
      },
      () => 'broken off'
    )
    await put()
    assert.notInclude(broken, 'a whole file')
    const answer = await staff.get('/back-office/orders.csv')
    assert.equal(answer.status, 200)
  })

  test('an export of the journal holds every page of the filter', async ({ assert }) => {
    const actor = `export-${randomUUID()}`
    await rows(
      `INSERT INTO journal (name, actor_kind, actor, change)
       SELECT 'hall_imported', 'console', ?, jsonb_build_object('hall_id', n, 'seats', 1) FROM generate_series(1, 2100) n`,
      actor
    )
    const lines = await taken('auditor', `journal.csv?actor=${actor}`)
    assert.lengthOf(lines, 2100)
    assert.lengthOf(new Set(lines.map(({ id }) => id)), 2100)
    assert.deepInclude(lines[0], { name: 'hall_imported', actor_kind: 'console', actor })
    assert.deepEqual(JSON.parse(lines[0].change), { hall_id: 2100, seats: 1 })
    const { change } = await one(
      `SELECT change FROM journal WHERE name = 'list_exported' ORDER BY id DESC LIMIT 1`
    )
    assert.deepEqual(change, { list: 'journal', filters: { actor } })
  })

  test('an export of more than a hundred thousand rows is complete', async ({ assert }) => {
    const actor = `export-${randomUUID()}`
    await rows(
      `INSERT INTO journal (name, actor_kind, actor, change)
       SELECT 'hall_imported', 'console', ?, '{}' FROM generate_series(1, 100500)`,
      actor
    )
    const staff = await StaffClient.signedIn('auditor')
    const answer = await staff.get(`/back-office/journal.csv?actor=${actor}`)
    const text = await answer.text()
    assert.lengthOf(text.trim().split('\n'), 2 + 100_500)
  })

  test('an export of webhook deliveries holds one partner’s rows', async ({ assert }) => {
    const partner = await aPartner()
    const actor = { kind: 'console', name: 'tests', requestId: null } as const
    const url = 'https://hooks.partner.test/in'
    await new SetEndpoint().handle({ partnerCode: partner.code, url, actor })
    await new PingEndpoint().handle({ partnerCode: partner.code })
    const lines = await taken('support', `webhooks.csv?partner=${partner.code}`)
    assert.lengthOf(lines, 1)
    assert.deepInclude(lines[0], { partner: partner.code, status: 'pending', attempts: '0' })
    assert.match(lines[0].created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:00$/)
  })

  test('an export of events holds the tickets sold', async ({ assert }) => {
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    await anEvent()
    const lines = await taken('finance', `events.csv?q=${event.id}`)
    assert.lengthOf(lines, 1)
    const { seats, sold, sold_tenge: tenge, status } = lines[0]
    assert.deepEqual([seats, sold, tenge, status], ['60', '2', '90000', 'sales_open'])
    const all = await taken('finance', 'events.csv?when=all')
    const { n } = await one('SELECT count(*)::int AS n FROM events')
    assert.lengthOf(all, n)
  })

  test('an export of partners holds those that the page finds by search only', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    const [line] = await taken('auditor', `partners.csv?q=${partner.code}`)
    assert.deepInclude(line, { code: partner.code, status: 'active', orders_today: '1' })
    const all = await taken('auditor', 'partners.csv')
    const { n } = await one('SELECT count(*)::int AS n FROM partners')
    assert.lengthOf(all, n)
  })

  test('an export of staff holds no secrets', async ({ assert }) => {
    const { email } = await aStaffMember('gate')
    const lines = await taken('auditor', `staff.csv?q=${email}`)
    assert.lengthOf(lines, 1)
    assert.deepEqual(Object.keys(lines[0]), [
      'email',
      'name',
      'role',
      'status',
      'second_factor',
      'sign_in_blocked_until',
      'second_factor_locked_at',
      'last_seen_at',
      'created_at',
    ])
    assert.deepInclude(lines[0], { email, role: 'gate', second_factor: 'false', last_seen_at: '' })
  })

  test('every list has stable names, and headings in the person’s language', async ({
    assert,
    cleanup,
  }) => {
    cleanup(async () => {
      await rows(`UPDATE staff SET language = 'ru'`)
    })
    const staff = await StaffClient.signedIn('admin')
    for (const [list, path] of Object.entries(LISTS))
      for (const language of LANGUAGES) {
        await rows('UPDATE staff SET language = ?', language)
        const answer = await staff.get(`/back-office/${path}.csv?q=nothing-like-this`)
        const lines = parse(await answer.text(), { bom: true, delimiter: ';' }) as string[][]
        const headings = HEADINGS[language][list as keyof typeof LISTS]
        assert.deepEqual(lines[0], Object.keys(headings), `${list} in ${language}`)
        assert.deepEqual(lines[1], Object.values(headings), `${list} in ${language}`)
      }
  })

  test('a role without the list’s permission gets no export', async ({ assert }) => {
    const staff = await StaffClient.signedIn('gate')
    for (const list of ['orders', 'journal', 'webhooks', 'events', 'partners', 'staff']) {
      const { status } = await staff.get(`/back-office/${list}.csv`)
      assert.equal(status, 403, list)
    }
  })
})
