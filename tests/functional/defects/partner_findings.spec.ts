import CheckPeriod from '#defects/cases/check_period'
import { writeCounts } from '#partners/answer_counts'
import { periodAround } from '#ledger/periods'
import { readConduct } from '#defects/conduct/read_conduct'
import checkCurrentConduct from '#defects/jobs/check_current_conduct'
import { connectLimits } from '#shared/rate_limit'
import { dataOf } from '#tests/support/answers'
import { lapseBooking, lapseOrder } from '#tests/support/circumstances'
import {
  aPartner,
  aSale,
  book,
  order,
  paymentOf,
  sell,
  type TestPartner,
} from '#tests/support/fixtures'
import { cancel, confirm } from '#tests/support/operations'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const month = () => periodAround(new Date(), 'month')
const check = ({ id: partnerId }: TestPartner) =>
  new CheckPeriod().handle({ partnerId, ...month() })
const findingsOf = async ({ id }: TestPartner) => {
  const found = await rows(
    'SELECT * FROM settlement_partner_findings WHERE partner_id = ? ORDER BY code',
    id
  )
  return new Map(found.map((one1) => [one1.code as string, one1]))
}

test.group('Findings about a partner', () => {
  test('its days and its month are counted, and counted again', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    const left = dataOf(await book(client, event.id, ['seat-2-2']))
    await lapseBooking(left.booking_id)
    const place = async (seat: string) => {
      const booking = dataOf(await book(client, event.id, [seat]))
      return dataOf(await order(client, booking.booking_id))
    }
    const [late, wrong, cancelled] = [
      await place('seat-2-3'),
      await place('seat-2-4'),
      await place('seat-2-5'),
    ]
    await lapseOrder(late.order_id)
    await confirm(client, late.order_id, paymentOf(12_000))
    await confirm(client, wrong.order_id, paymentOf(11_000))
    await cancel(client, cancelled.order_id)
    await check(partner)
    await check(partner)
    const { tally } = await one(
      'SELECT tally FROM settlement_partner_days WHERE partner_id = ?',
      partner.id
    )
    assert.include(tally, { created: 4, paid: 1, expired: 1, cancelled: 1, late: 1, mismatched: 1 })
    assert.include(tally, { bookings: 5, bookingsExpired: 1 })
    const found = await findingsOf(partner)
    assert.lengthOf([...found], 13)
    assert.deepInclude(found.get('LATE_CONFIRM_RATE'), { sample: 3, verdict: 'few' })
    assert.deepInclude(found.get('NO_CANCEL_RATE'), { value: 0.5, sample: 2 })
    assert.deepInclude(found.get('BOOKING_HOARDING'), { value: 0.2, sample: 5 })
  })

  test('a partial check keeps the counts of the whole day', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    await check(partner)
    const from = new Date(Date.now() + 1_000)
    await new CheckPeriod().handle({ partnerId: partner.id, from, to: month().to })
    const { tally } = await one(
      'SELECT tally FROM settlement_partner_days WHERE partner_id = ?',
      partner.id
    )
    assert.equal(tally.created, 1)
  })

  test('too many late confirms are found by comparison with other partners', async ({ assert }) => {
    const { partner } = await aSale()
    const day = new Date(Date.now() + 5 * 3_600_000).toISOString().slice(0, 10)
    const keep = (id: number, tally: object) =>
      ownerRows(
        'INSERT INTO settlement_partner_days (partner_id, day, tally) VALUES (?, ?, ?)',
        id,
        day,
        JSON.stringify(tally)
      )
    await keep(partner.id, { created: 100, paid: 90, expired: 10, attempted: 100, late: 10 })
    const others = [await aPartner(), await aPartner(), await aPartner()]
    for (const [index, other] of others.entries()) {
      await keep(other.id, { created: 100, attempted: 100, late: index })
      await check(other)
    }
    await check(partner)
    const found = await findingsOf(partner)
    const late = found.get('LATE_CONFIRM_RATE')!
    assert.deepInclude(late, { value: 0.1, sample: 100, verdict: 'high' })
    assert.approximately(late.lower_bound as number, 0.0552, 0.0005)
    assert.isNotNull(late.all_median)
    assert.equal(found.get('ABANDON_RATE')!.verdict, 'fine')
  })

  test('requests are counted by refusal and written in batches', async ({ assert }) => {
    const { client, event, partner } = await aSale({ settings: { pendingOrders: 1 } })
    const booking = dataOf(await book(client, event.id, ['seat-2-1']))
    const other = dataOf(await book(client, event.id, ['seat-2-2']))
    await order(client, booking.booking_id)
    const refused = await order(client, other.booking_id)
    assert.equal(refused.error!.code, 'PENDING_LIMIT_EXCEEDED')
    await Promise.all([writeCounts(), writeCounts()])
    const counted = await rows(
      'SELECT code, count::int AS count FROM partner_answers WHERE partner_id = ? ORDER BY code',
      partner.id
    )
    assert.deepEqual(
      counted.map(({ code, count }) => [code, count]),
      [
        ['', 4],
        ['PENDING_LIMIT_EXCEEDED', 1],
      ]
    )
    await check(partner)
    const found = await findingsOf(partner)
    const hits = { value: 0.5, sample: 2 }
    assert.deepInclude(found.get('PENDING_LIMIT_HITS'), hits)

    await ownerRows('DELETE FROM settlement_partner_findings WHERE partner_id = ?', partner.id)
    await checkCurrentConduct()
    const again = await findingsOf(partner)
    assert.deepInclude(again.get('PENDING_LIMIT_HITS'), hits)
  })

  test('requests beyond the limit of a minute are counted', async ({ assert }) => {
    // Until Redis answers, the limits are kept in the process.
    await connectLimits()
    const partner = await aPartner({ requestsPerMinute: 2 })
    for (let times = 0; times < 4; times++) await partner.client.get('/events')
    await writeCounts()
    const counted = await rows(
      'SELECT code, count::int AS count FROM partner_answers WHERE partner_id = ? ORDER BY code',
      partner.id
    )
    assert.deepEqual(counted, [
      { code: '', count: 4 },
      { code: 'RATE_LIMIT_EXCEEDED', count: 2 },
    ])
    await check(partner)
    const found = await findingsOf(partner)
    assert.deepInclude(found.get('RATE_LIMIT_HITS'), { value: 0.5, sample: 4 })
  })

  test('a feed not read for five minutes leaves a gap', async ({ assert }) => {
    const { client, partner } = await aSale()
    const read = async (cursor: string) => {
      const { json } = await client.get(`/events?updated_since=${cursor}`)
      return json.meta.cursor as string
    }
    const gaps = () => rows('SELECT from_at, to_at FROM feed_gaps WHERE partner_id = ?', partner.id)
    const { json } = await client.get('/events')
    const cursor = await read(json.meta.cursor as string)
    await read(cursor)
    assert.deepEqual(await gaps(), [])
    await ownerRows(
      `UPDATE feed_reads SET read_at = now() - interval '20 minutes' WHERE partner_id = ?`,
      partner.id
    )
    await Promise.all([read(cursor), read(cursor), read(cursor)])
    const found = await gaps()
    assert.lengthOf(found, 1)
    const minutes = (found[0].to_at.getTime() - found[0].from_at.getTime()) / 60_000
    assert.approximately(minutes, 20, 0.1)
    await ownerRows(
      `UPDATE event_grants SET created_at = now() - interval '3 days' WHERE partner_id = ?`,
      partner.id
    )
    await check(partner)
    const counted = await findingsOf(partner)
    const { value } = counted.get('POLLING_GAP')!
    assert.isAbove(value as number, 0)
  })

  test('a day without a read of the feed counts as missed', async ({ assert }) => {
    const { partner } = await aSale()
    await ownerRows(
      `UPDATE event_grants SET created_at = now() - interval '90 days' WHERE partner_id = ?`,
      partner.id
    )
    await ownerRows('DELETE FROM feed_reads WHERE partner_id = ?', partner.id)
    const { from: to } = month()
    const { from } = periodAround(new Date(to.getTime() - 1), 'month')
    const { total, days } = await readConduct(partner.id, { from, to }, new Date())
    assert.isAbove(total.feedMissed, 0)
    const missed = days.reduce((sum, { feedMissed }) => sum + feedMissed, 0)
    assert.equal(missed, total.feedMissed)
  })
})
