import ImportHall from '#catalog/actions/import_hall'
import FinishRestore from '#restores/finish_restore'
import noteHighWater, { DATABASE } from '#restores/high_water'
import { storageDirectory } from '#shared/storage'
import { outcomeOf } from '#tests/functional/races/support/crowd'
import { aGate } from '#tests/functional/races/support/gates'
import { run } from '#tests/functional/console/support'
import {
  aSale,
  anEvent,
  book,
  order,
  paymentOf,
  sell,
  smallHall,
  TESTER,
} from '#tests/support/fixtures'
import {
  cloneDatabase,
  createDatabase,
  dropDatabase,
  dumpAndRestore,
  inDatabase,
} from '#tests/support/other_database'
import { one, rows } from '#tests/support/rows'
import { dataOf } from '#tests/support/answers'
import relayNews from '#webhooks/relay_news/relay_news'
import { HoldForStorefront } from '#inventory/actions/storefront'
import { test } from '@japa/runner'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const BEFORE = 'finish_restore_before'
const AFTER = 'finish_restore_after'
const finish = () => new FinishRestore()

/** A sale in a database of its own, which has a hall and a gate. */
async function aSaleWithGate() {
  const hall = await new ImportHall().handle({
    venue: { name: { ru: 'Площадка' } },
    name: { ru: 'Зал' },
    ...smallHall(),
    actor: TESTER,
  })
  const sale = await aSale({ event: { hallId: hall.hallId } })
  return { ...sale, gate: await aGate() }
}

/** A base backup would have kept the id of the database, which a clone has not. */
async function asBaseBackup() {
  const { installation, database } = await one(
    `SELECT installation, ${DATABASE} AS database FROM selling_mark`
  )
  const path = join(await storageDirectory('restores'), `${installation}.json`)
  const known = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...known, database }))
}

const numberOf = (orderId: string) => Number(orderId.split('-').at(-1))
const entries = (name: string) =>
  rows('SELECT partner_id, change FROM journal WHERE name = ? ORDER BY id', name)

test.group('A dump restored after further sales', (group) => {
  group.setup(async () => {
    // The hall that all tests share belongs to their own database.
    await anEvent()
    return async () => {
      for (const name of [BEFORE, AFTER]) await dropDatabase(name)
    }
  })
  group.each.timeout(300_000)

  test('nothing is sold until restore:finish, which passes every number of the gap', async ({
    assert,
  }) => {
    await createDatabase(BEFORE)
    const sale = await inDatabase(BEFORE, async () => {
      const made = await aSaleWithGate()
      await sell(made.client, made.event.id, ['seat-1-1'])
      await noteHighWater()
      return made
    })
    await dumpAndRestore(BEFORE, AFTER)
    const { client, event, gate, partner } = sale
    const lost = await inDatabase(BEFORE, async () => {
      const sold = [
        await sell(client, event.id, ['seat-1-2']),
        await sell(client, event.id, ['seat-1-3', 'seat-1-4']),
      ]
      await noteHighWater()
      return sold
    })
    const [first, last] = lost

    await inDatabase(AFTER, async () => {
      // Before a worker has noticed anything.
      assert.equal(outcomeOf(await book(client, event.id, ['seat-1-2'])), '503 SERVICE_BUSY')
      await noteHighWater()
      await relayNews()
      const [noticed] = await entries('restore_noticed')
      assert.equal((noticed.change as { because: string }).because, 'dump')
      const refused = [
        await book(client, event.id, ['seat-1-2']),
        await client.get(`/orders?partner_order_id=${first.partner_order_id}`),
        await client.post(`/orders/${first.order_id}/confirm`, paymentOf(first.total_tenge)),
        await client.post(`/orders/${last.order_id}/cancel`),
      ]
      for (const answer of refused) {
        assert.equal(outcomeOf(answer), '503 SERVICE_BUSY')
        assert.equal(answer.headers.get('retry-after'), '60')
      }
      for (const path of ['/events', `/events/${event.id}`])
        assert.equal(outcomeOf(await client.get(path)), '200', path)
      await assert.rejects(() =>
        new HoldForStorefront().handle({
          eventId: event.id,
          seats: ['seat-1-2'],
          holdSeconds: 60,
          actor: TESTER,
        })
      )

      // Past the door, which reads the mark with the partner's key: the gates of sales hold by themselves.
      await assert.rejects(
        () => rows('SELECT pass_sale_and_partner_gate(?, ?)', event.id, partner.id),
        /nothing is sold until restore:finish has run/
      )

      // A guest of the gap: the key is there, the ticket isn't.
      const [ticket] = last.tickets
      const scan = await gate.scan(event.id, ticket.qr_token)
      assert.equal(outcomeOf(scan), '422 QR_INVALID')
      assert.containsSubset(scan.error, { details: { number: ticket.number } })

      const shown = await run('restore:finish')
      assert.equal(shown.exitCode, 0, shown.text)
      assert.include(shown.text, `${partner.code}: 1 orders of the gap`)
      assert.include(shown.text, first.order_id)
      assert.include(shown.text, ticket.number)
      assert.include(shown.text, 'with network the gate refuses them (QR_INVALID)')
      assert.include(shown.text, 'without network phones let them in')
      const [, list] = /All 1 orders of the gap: (\S+)/.exec(shown.text)!
      assert.equal(
        await readFile(list, 'utf8'),
        `partner,order_id,amount_tenge,known_from\n${partner.code},${first.order_id},${first.total_tenge},confirm\n`
      )
      assert.include(shown.text, 'Nothing was changed')
      assert.equal(outcomeOf(await book(client, event.id, ['seat-1-2'])), '503 SERVICE_BUSY')

      const done = await run('restore:finish', '--yes')
      assert.equal(done.exitCode, 0, done.text)
      assert.include(done.text, 'selling goes on')
      const next = await sell(client, event.id, ['seat-1-5'])
      assert.isAbove(numberOf(next.order_id), numberOf(last.order_id) + 900)
      assert.isAbove(numberOf(next.tickets[0].number), numberOf(last.tickets[1].number) + 900)
      const [finished] = await entries('restore_finished')
      assert.properties((finished.change as { numbers: object }).numbers, [
        'order_numbers',
        'ticket_numbers',
        'counter:statement',
        'counter:memo',
      ])
      const [gapSales] = await entries('restore_gap_sales')
      assert.containsSubset(gapSales, {
        partner_id: partner.id,
        change: { orders: 1, order_ids: [first.order_id] },
      })
    })
  })

  test('a second restore:finish advances nothing more, and no job closes selling again', async ({
    assert,
  }) => {
    await inDatabase(AFTER, async () => {
      const before = await rows('SELECT * FROM pg_sequences ORDER BY sequencename')
      const again = await run('restore:finish', '--yes')
      assert.include(again.text, 'Nothing to finish')
      await noteHighWater()
      await noteHighWater()
      const after = await rows('SELECT * FROM pg_sequences ORDER BY sequencename')
      const values = (all: typeof before) =>
        Object.fromEntries(
          all
            .filter(({ sequencename }) => /numbers$/.test(sequencename as string))
            .map(({ sequencename, last_value: last }) => [sequencename, last])
        )
      assert.deepEqual(values(after), values(before))
      const { is_open: isOpen } = await one('SELECT is_restore_open() AS is_open')
      assert.isFalse(isOpen)
      assert.lengthOf(await entries('restore_finished'), 1)
    })
  })
})

test.group('A database restored to an earlier moment', (group) => {
  group.setup(async () => {
    await anEvent()
    return async () => {
      for (const name of [BEFORE, AFTER]) await dropDatabase(name)
    }
  })
  group.each.timeout(300_000)

  test('is noticed by the storage directory, which knows more; a copy that is as far is not', async ({
    assert,
  }) => {
    await createDatabase(BEFORE)
    const { client, event } = await inDatabase(BEFORE, async () => {
      const sale = await aSaleWithGate()
      await sell(sale.client, sale.event.id, ['seat-1-1'])
      await noteHighWater()
      return sale
    })
    // The files of the database with their transaction ids, as base backup and WAL bring them back.
    await cloneDatabase(BEFORE, AFTER)
    await inDatabase(AFTER, async () => {
      await asBaseBackup()
      await noteHighWater()
      const { is_open: isOpen } = await one('SELECT is_restore_open() AS is_open')
      assert.isFalse(isOpen)
    })
    const lost = await inDatabase(BEFORE, async () => {
      const sold = await sell(client, event.id, ['seat-1-2'])
      await noteHighWater()
      return sold
    })

    await inDatabase(AFTER, async () => {
      await asBaseBackup()
      await noteHighWater()
      const [noticed] = await entries('restore_noticed')
      assert.equal((noticed.change as { because: string }).because, 'behind')
      assert.equal(outcomeOf(await book(client, event.id, ['seat-1-2'])), '503 SERVICE_BUSY')
      const plan = await finish().handle({ actor: TESTER })
      assert.isTrue(plan.isOpen)
      const booking = dataOf(await book(client, event.id, ['seat-1-3']))
      const placed = dataOf(await order(client, booking.booking_id))
      assert.isAbove(numberOf(placed.order_id), numberOf(lost.order_id) + 900)
      await noteHighWater()
      const { is_open: isOpen } = await one('SELECT is_restore_open() AS is_open')
      assert.isFalse(isOpen)
    })
  })

  test('is noticed also after as many entries were written as are missing', async ({ assert }) => {
    await createDatabase(BEFORE)
    const { client, event } = await inDatabase(BEFORE, async () => {
      const sale = await aSaleWithGate()
      await noteHighWater()
      return sale
    })
    await cloneDatabase(BEFORE, AFTER)
    await inDatabase(BEFORE, async () => {
      await sell(client, event.id, ['seat-1-2'])
      await noteHighWater()
    })

    await inDatabase(AFTER, async () => {
      await asBaseBackup()
      await sell(client, event.id, ['seat-1-3'])
      await sell(client, event.id, ['seat-1-4'])
      await noteHighWater()
      const noticed = await entries('restore_noticed')
      assert.lengthOf(noticed, 1)
      assert.equal((noticed[0].change as { because: string }).because, 'behind')
    })
  })
})

test.group('restore:finish', () => {
  test('refuses a moment or margin that is none', async ({ assert }) => {
    const moment = await run('restore:finish', '--restored-to=yesterday')
    assert.equal(moment.exitCode, 1)
    assert.include(moment.text, 'INVALID_PARAMETERS')
    const margin = await run('restore:finish', '--margin=-5')
    assert.equal(margin.exitCode, 1)
  })
})
