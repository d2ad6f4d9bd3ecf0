import ChangeEventStatus from '#catalog/actions/change_event_status'
import ImportHall from '#catalog/actions/import_hall'
import FinishRestore from '#restores/finish_restore'
import { dataOf } from '#tests/support/answers'
import { TESTER, aSale, anEvent, sell, smallHall } from '#tests/support/fixtures'
import {
  cloneDatabase,
  createDatabase,
  dropDatabase,
  dumpAndRestore,
  inDatabase,
} from '#tests/support/other_database'
import type { PartnerClient } from '#tests/support/partner_client'
import { one, ownerRows, rows } from '#tests/support/rows'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import relayNews from '#webhooks/relay_news/relay_news'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const BEFORE = 'restored_before'
const AFTER = 'restored_after'
const COPY = 'restored_copy'

const change = (eventId: string, trigger: 'open' | 'pause' | 'close') =>
  new ChangeEventStatus().handle({ eventId, trigger, reason: null, actor: TESTER })

async function cursorOf(client: PartnerClient) {
  const { json } = await client.get('/events')
  return json.meta.cursor as string
}

async function poll(client: PartnerClient, cursor: string) {
  const answer = await client.get(`/events?updated_since=${cursor}`)
  const statuses = dataOf(answer).map(({ status }: { status: string }) => status) as string[]
  return { statuses, cursor: answer.json.meta.cursor as string }
}

/** The statuses that webhooks were made for, in their order. */
async function relayed() {
  const made = await rows(
    `SELECT j.change ->> 'to' AS status FROM webhook_deliveries d JOIN journal j ON j.id = d.journal_id ORDER BY d.id`
  )
  return made.map(({ status }) => status as string)
}

/** A sale in a database of its own, its news relayed so far. */
async function aRelayedSale() {
  const hall = await new ImportHall().handle({
    venue: { name: { ru: 'Площадка' } },
    name: { ru: 'Зал' },
    ...smallHall(),
    actor: TESTER,
  })
  const sale = await aSale({ event: { hallId: hall.hallId } })
  await relayNews()
  const url = 'http://127.0.0.1:9/'
  await new SetEndpoint().handle({ partnerCode: sale.partner.code, url, actor: TESTER })
  return sale
}

const AHEAD = 1_000_000_000

test.group('A dump restored into the same cluster', (group) => {
  group.setup(async () => {
    // The hall that all tests share belongs to their own database.
    await anEvent()
    return async () => {
      for (const name of [BEFORE, AFTER, COPY]) await dropDatabase(name)
    }
  })
  group.each.timeout(120_000)

  test('an older cursor returns everything, and webhooks are neither lost nor repeated', async ({
    assert,
  }) => {
    await createDatabase(BEFORE)
    const { client, event } = await inDatabase(BEFORE, async () => {
      const sale = await aRelayedSale()
      await sell(sale.client, sale.event.id, ['seat-1-1'])
      await change(sale.event.id, 'pause')
      await relayNews()
      // Not relayed yet when the dump is made.
      await change(sale.event.id, 'open')
      return sale
    })
    await dumpAndRestore(BEFORE, AFTER)
    const seen = await inDatabase(BEFORE, async () => {
      await relayNews()
      await change(event.id, 'close')
      await relayNews()
      assert.deepEqual(await relayed(), ['sales_paused', 'sales_open', 'sales_closed'])
      return cursorOf(client)
    })

    await inDatabase(AFTER, async () => {
      const first = await poll(client, seen)
      assert.deepEqual(first.statuses, ['sales_open'])
      // Before the relay has noticed, and from a transaction that ends after it has.
      const late = await db.transaction()
      await late.rawQuery(
        `INSERT INTO journal (name, actor_kind, actor, event_id, change)
         VALUES ('event_status_changed', 'staff', 'late', ?, '{"to":"late"}')`,
        [event.id]
      )
      await new FinishRestore().handle({ actor: TESTER })
      await sell(client, event.id, ['seat-1-2'])
      await change(event.id, 'pause')
      await relayNews()
      assert.deepEqual(await relayed(), ['sales_paused', 'sales_open', 'sales_paused'])
      await relayNews()
      await late.commit()
      await relayNews()
      await relayNews()
      assert.deepEqual(await relayed(), ['sales_paused', 'sales_open', 'sales_paused', 'late'])

      const again = await poll(client, first.cursor)
      assert.deepEqual(again.statuses, ['sales_paused'])
      const nothing = await poll(client, again.cursor)
      assert.deepEqual(nothing.statuses, [])
    })
  })

  test('webhooks and feed go on after the restore of a cluster whose transaction ids were ahead', async ({
    assert,
  }) => {
    await createDatabase(BEFORE)
    const { client, event } = await inDatabase(BEFORE, async () => {
      const sale = await aRelayedSale()
      await change(sale.event.id, 'pause')
      await relayNews()
      await ownerRows(`ALTER TABLE events DISABLE TRIGGER USER`)
      await ownerRows(
        `UPDATE events SET change_xid = (change_xid::text::bigint + ?::bigint)::text::xid8`,
        AHEAD
      )
      await ownerRows(`ALTER TABLE events ENABLE TRIGGER USER`)
      await ownerRows(
        `UPDATE webhook_relay SET seen = (? || ':' || ? || ':')::pg_snapshot`,
        String(2 * AHEAD),
        String(2 * AHEAD)
      )
      return sale
    })
    await dumpAndRestore(BEFORE, AFTER)

    await inDatabase(AFTER, async () => {
      await change(event.id, 'open')
      await relayNews()
      await relayNews()
      assert.deepEqual(await relayed(), ['sales_paused', 'sales_open'])
      const { statuses, cursor } = await poll(client, await cursorOf(client))
      assert.deepEqual(statuses, [])
      await change(event.id, 'pause')
      const next = await poll(client, cursor)
      assert.deepEqual(next.statuses, ['sales_paused'])
    })
  })

  test('a copy of the data files has an epoch of its own', async ({ assert }) => {
    await createDatabase(BEFORE)
    const { client, cursor } = await inDatabase(BEFORE, async () => {
      const sale = await aRelayedSale()
      return { client: sale.client, cursor: await cursorOf(sale.client) }
    })
    await cloneDatabase(BEFORE, COPY)
    await inDatabase(BEFORE, async () => {
      const same = await poll(client, cursor)
      assert.deepEqual(same.statuses, [])
    })
    await inDatabase(COPY, async () => {
      const all = await poll(client, cursor)
      assert.deepEqual(all.statuses, ['sales_open'])
      await relayNews()
      assert.deepEqual(await relayed(), [])
    })
  })

  test('a migrated database does not count as restored', async ({ assert }) => {
    const mark = await one('SELECT xmin = made_in::xid AS is_own FROM restore_mark')
    assert.isTrue(mark.is_own)
  })
})
