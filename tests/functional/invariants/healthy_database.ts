import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import IssueStatement from '#ledger/actions/issue_statement'
import { RequestMemo } from '#ledger/actions/memos'
import { verifyDueStatements } from '#ledger/jobs/verify_statements'
import RecordPayment from '#ledger/actions/record_payment'
import { localDay } from '#shared/days'
import { aGate } from '#tests/functional/races/support/gates'
import expireOverdue from '#sales/expire_overdue/expire_overdue'
import VoidTickets from '#sales/void_tickets/void_tickets'
import {
  block,
  cancelEvent,
  changeStatus,
  lapseBooking,
  lapseOrder,
  storefrontHolds,
  storefrontSells,
} from '#tests/support/circumstances'
import { aPerson, aSale, book, order, sell, TESTER } from '#tests/support/fixtures'
import { cancel, refund } from '#tests/support/operations'
import { aReceiver } from '#tests/support/receiver'
import { one, ownerRows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import { runJob } from '#worker/jobs'

/** Everything that a platform does in a month, on a small scale; returns the names of rows to break. */
export async function fillHealthily() {
  const { client, event, partner } = await aSale()
  await setTerms(partner)
  const receiver = await aReceiver()
  await new SetEndpoint().handle({ partnerCode: partner.code, url: receiver.url, actor: TESTER })

  const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
  await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
  const { statementId } = await settleMonth(partner)
  await pay(partner, statementId)

  const admitted = await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
  const gate = await aGate()
  await gate.scan(event.id, admitted.tickets[0].qr_token)
  const takenBack = await sell(client, event.id, ['seat-1-3'])
  await new VoidTickets().handle({
    partnerId: partner.id,
    actor: TESTER,
    orderId: takenBack.order_id,
    ticketIds: [takenBack.tickets[0].ticket_id],
    cause: 'platform',
    reason: 'Авария в секторе',
    returnsSeats: false,
  })
  const whole = await sell(client, event.id, ['seat-3-1'])
  await refund(client, whole.order_id, [whole.tickets[0].ticket_id])
  await sell(client, event.id, ['seat-3-1'])

  const cancelled = await placed(client, event.id, 'seat-3-2')
  await cancel(client, cancelled)
  const expired = await placed(client, event.id, 'seat-3-3')
  await lapseOrder(expired)
  await ownerRows(
    `UPDATE orders SET window_ends_at = window_ends_at - interval '1 minute' WHERE id = ?`,
    expired
  )
  const { data: lapsed } = await book(client, event.id, ['seat-3-4'])
  await lapseBooking(lapsed.booking_id)
  await expireOverdue()
  const { data: live } = await book(client, event.id, ['seat-3-5'])
  const pending = await placed(client, event.id, 'seat-3-6')
  await storefrontHolds(event, 'seat-3-7')
  await storefrontSells(event, 'seat-3-8')
  await block(event, 'seat-3-9')

  for (const act of ['pause', 'open'] as const) await changeStatus(event, act)
  const off = await aSale()
  await sell(off.client, off.event.id, ['seat-2-1'])
  await book(off.client, off.event.id, ['seat-2-2'])
  await placed(off.client, off.event.id, 'seat-2-3')
  await cancelEvent(off.event)

  await deliverNews()
  await verifyDueStatements(new Date())
  receiver.close()
  return {
    partner,
    event,
    statementId,
    soldOrder: sold.order_id as string,
    order: admitted.order_id as string,
    ticket: admitted.tickets[1].ticket_id as string,
    liveBooking: live.booking_id as string,
    pendingOrder: pending,
  }
}
type Sale = Awaited<ReturnType<typeof aSale>>

async function placed(client: Sale['client'], eventId: string, seat: string): Promise<string> {
  const { data: booking } = await book(client, eventId, [seat])
  const { data } = await order(client, booking.booking_id)
  return data.order_id
}

/** The month of the first sale is over; its statement is agreed on and closed. */
async function settleMonth(partner: Sale['partner']) {
  await moveInTime(partner, '-45 days')
  const by = { partnerCode: partner.code, actor: TESTER }
  const { statementId } = await new IssueStatement().handle(by)
  for (const trigger of ['agree', 'close'] as const)
    await new ChangeStatementStatus().handle({ statementId, trigger, note: null, actor: TESTER })
  return { statementId }
}

async function pay({ code: partnerCode }: Sale['partner'], statementId: number) {
  const actor = aPerson()
  await new RecordPayment().handle({
    partnerCode,
    bankReference: `П-1 ${partnerCode}`,
    paidOn: localDay(new Date()),
    direction: 'from_partner',
    amountTenge: 5_000n,
    parts: [{ statementId, amountTenge: 5_000n }],
    actor,
  })
  await new RequestMemo().handle({
    partnerCode,
    kind: 'adj_credit',
    amountTenge: 500n,
    reason: 'Возврат мимо системы',
    origin: null,
    actor,
  })
}

/** Relays and sends until nothing is pending. */
async function deliverNews() {
  for (let turn = 0; turn < 20; turn++) {
    for (const { job, data } of await runJob('relay_news', {})) await runJob(job, data)
    const { n } = await one(
      `SELECT count(*)::int AS n FROM webhook_deliveries WHERE status = 'pending'`
    )
    if (n === 0) return
  }
  throw new Error('webhooks are still pending')
}
