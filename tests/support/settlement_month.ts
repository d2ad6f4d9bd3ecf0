import { RequestMemo, type MemoKind } from '#ledger/actions/memos'
import RecordPayment from '#ledger/actions/record_payment'
import { dataOf } from '#tests/support/answers'
import { cancelEvent, lapseOrder } from '#tests/support/circumstances'
import {
  anEvent,
  aPerson,
  aSale,
  book,
  grant,
  order,
  paymentOf,
  sell,
} from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { ownerRows } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'

export const HARM = `=cmd|' /C calc'!A0`
export const LONG_TITLE =
  'Большой новогодний гала-концерт Государственного симфонического оркестра Республики Казахстан с участием солистов оперы, хора и детской студии'

/** A partner's month with nearly everything that can be in one: all kinds of movements, cases, memos and payments. */
export async function aMonth() {
  const title = {
    ru: LONG_TITLE,
    kk: LONG_TITLE,
    en: 'A gala concert with a title that is very long',
  }
  const sale = await aSale({ event: { title } })
  const { client, event, partner } = sale
  const other = await anEvent()
  await grant(partner, other)
  await setTerms(partner, { legalName: HARM })
  await ownerRows('UPDATE partners SET name = ? WHERE id = ?', HARM, partner.id)
  const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
  for (const seat of ['seat-1-1', 'seat-1-2', 'seat-4-1']) await sell(client, event.id, [seat])
  await sell(client, other.id, ['seat-2-1', 'seat-1-1'])
  await cancelEvent(other)
  await refund(client, sold.order_id, [sold.tickets[0].ticket_id], HARM)
  const place = async (seat: string, more: object = {}) =>
    dataOf(await order(client, dataOf(await book(client, event.id, [seat])).booking_id, more))
  const late = await place('seat-2-3')
  await lapseOrder(late.order_id)
  const payment = paymentOf(12_000)
  for (let times = 0; times < 2; times++) await confirm(client, late.order_id, payment)
  const again = await place('seat-2-3', { partner_order_id: `${HARM}${Date.now()}` })
  await confirm(client, again.order_id, payment)
  const lost = await place('seat-2-4')
  await lapseOrder(lost.order_id)
  await confirm(client, lost.order_id, paymentOf(12_000))
  await sell(client, event.id, ['seat-2-4'])
  const wrong = await place('seat-2-5')
  await confirm(client, wrong.order_id, paymentOf(11_000))
  await lapseOrder(wrong.order_id)
  await addMemosAndPayments(partner.code)
  return { ...sale, sold, late, again, lost }
}

async function addMemosAndPayments(partnerCode: string) {
  const memos: [MemoKind, bigint][] = [
    ['adj_debit', 4_000n],
    ['adj_credit', 5_500n],
    ['penalty', 30_000n],
  ]
  for (const [kind, amountTenge] of memos)
    await new RequestMemo().handle({
      partnerCode,
      kind,
      amountTenge,
      origin: null,
      actor: aPerson(),
      reason: 'Сверка с реестром партнёра: продажа учтена дважды, письмо партнёра от 5 ноября',
    })
  for (const direction of ['from_partner', 'to_partner'] as const)
    await new RecordPayment().handle({
      partnerCode,
      direction,
      amountTenge: direction === 'from_partner' ? 50_000n : 1_000n,
      // The same reference, day and amount of two partners would be one payment.
      bankReference: `ПП-${direction}-17-${partnerCode}`,
      paidOn: '2026-11-05',
      parts: [],
      actor: aPerson(),
    })
}
