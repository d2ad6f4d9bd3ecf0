import CheckPeriod from '#defects/cases/check_period'
import { checkLastDays } from '#defects/jobs/check_partners'
import { periodAround } from '#ledger/periods'
import { dataOf } from '#tests/support/answers'
import { aSale, book, order, paymentOf, uniqueKey, type TestPartner } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import { ownerRows, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import type { PartnerClient } from '#tests/support/partner_client'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000
const AGO_DAYS = 45

const place = async (client: PartnerClient, eventId: string, seat: string) => {
  const booking = dataOf(await book(client, eventId, [seat]))
  return dataOf(await order(client, booking.booking_id))
}
const judgeThen = ({ id: partnerId }: TestPartner) => {
  const [from, to] = [AGO_DAYS + 1, AGO_DAYS - 1].map((n) => new Date(Date.now() - n * DAY_MS))
  return new CheckPeriod().handle({ partnerId, from, to })
}
const foundOf = ({ id }: TestPartner) =>
  rows(
    `SELECT d.code, d.subclass, d.severity, c.buyer_tenge::int AS buyer, c.platform_tenge::int AS platform
       FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id AND d.gone_at IS NULL
      WHERE partner_id = ? AND c.gone_at IS NULL ORDER BY d.code`,
    id
  )

/** Confirms at so many days from now, by a clock that is behind; of an order that is none of ours. */
const confirmsAt = ({ id }: TestPartner, days: number, behindSeconds: number, count: number) =>
  ownerRows(
    `INSERT INTO confirm_attempts (partner_id, order_id_sent, request_id, received_at, timestamp_sent, signature_valid, http_status, code)
     SELECT ?, 'TIX-2026-999999998', gen_random_uuid(), at, (extract(epoch FROM at)::bigint - ?)::text, true, 409, 'ORDER_CANCELLED'
       FROM (SELECT clock_timestamp() + make_interval(days => ?) - make_interval(secs => n) AS at
               FROM generate_series(1, ?) AS n) attempts`,
    id,
    behindSeconds,
    days,
    count
  )

test.group('Past periods', () => {
  test('are judged by the terms in force at the time', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner)
    const payment = { external_payment_id: uniqueKey('pay') }
    for (const seat of ['seat-2-2', 'seat-2-3']) {
      const { order_id: orderId } = await place(client, event.id, seat)
      await confirm(client, orderId, paymentOf(12_000, payment))
    }
    await moveInTime(partner, `-${AGO_DAYS} days`)
    await judgeThen(partner)
    const before = await foundOf(partner)
    assert.deepInclude(before[0], { buyer: 0, platform: 12_000, severity: 'MEDIUM' })
    const { from } = periodAround(new Date(), 'month')
    await ownerRows(
      `INSERT INTO settlement_terms (partner_id, valid_from, period, commission_bp, vat_bp, allows_combined_payments, set_by)
       VALUES (?, ?, 'month', 750, 1600, true, 'tests')`,
      partner.id,
      from
    )
    await checkLastDays(partner.id)
    assert.deepEqual(await foundOf(partner), before)
  })

  test('are judged by the partner’s clock error at the time', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const { order_id: orderId } = await place(client, event.id, 'seat-2-2')
    const paidAt = new Date(Date.now() - 60_000).toISOString()
    await confirm(client, orderId, paymentOf(12_000, { paid_at: paidAt }))
    await moveInTime(partner, `-${AGO_DAYS} days`)
    await confirmsAt(partner, -AGO_DAYS, 62, 60)
    await judgeThen(partner)
    const before = await foundOf(partner)
    assert.deepInclude(before[0], { code: 'PAID_BEFORE_CREATED', subclass: 'SKEW' })
    await confirmsAt(partner, 0, 0, 250)
    await judgeThen(partner)
    assert.deepEqual(await foundOf(partner), before)
  })
})
