import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import IssueStatement from '#ledger/actions/issue_statement'
import { RequestMemo } from '#ledger/actions/memos'
import RecordPayment from '#ledger/actions/record_payment'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { localDay } from '#shared/days'
import { aGate } from '#tests/functional/races/support/gates'
import { TESTER, aPerson, aSale, book, order, sell } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { one, ownerRows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'

const TOO_MUCH = 900_000_000n

/** One row of each kind that a rule is tried on, by the names that `rules.ts` gives them. */
export async function rowsToBreak() {
  const { client, event, partner } = await aSale()
  const { termsId } = await setTerms(partner)
  const issue = async () => {
    const by = { partnerCode: partner.code, actor: TESTER }
    const { statementId } = await new IssueStatement().handle(by)
    return statementId
  }
  const idOf = async (sql: string, ...values: unknown[]) => {
    const { id } = await one(sql, ...values)
    return Number(id)
  }

  const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
  const [{ ticket_id: voidTicket }] = sold.tickets
  await refund(client, sold.order_id, [voidTicket])
  await moveInTime(partner, '-3 months')
  const firstStatement = await issue()
  for (const trigger of ['agree', 'close'] as const)
    await new ChangeStatementStatus().handle({
      statementId: firstStatement,
      trigger,
      note: null,
      actor: TESTER,
    })
  const person = aPerson()
  const pay = (amountTenge: bigint, parts: { statementId: number; amountTenge: bigint }[]) =>
    new RecordPayment().handle({
      partnerCode: partner.code,
      bankReference: `${amountTenge} ${partner.code}`,
      paidOn: localDay(new Date()),
      direction: 'from_partner',
      amountTenge,
      parts,
      actor: person,
    })
  const { paymentId: payment } = await pay(5_000n, [
    { statementId: firstStatement, amountTenge: 3_000n },
  ])
  const { requestId: request } = await pay(TOO_MUCH, [])
  const correct = (amountTenge: bigint) =>
    new RequestMemo().handle({
      partnerCode: partner.code,
      kind: 'adj_credit',
      amountTenge,
      reason: 'Возврат мимо системы',
      origin: null,
      actor: person,
    })
  const { memoId: memo } = await correct(500n)
  const { memoId: openMemo } = await correct(TOO_MUCH)

  await sell(client, event.id, ['seat-2-5'])
  await moveInTime(partner, '-2 months')
  const supersededStatement = await issue()
  await new SupersedeStatement().handle({
    statementId: supersededStatement,
    reason: 'Ошибка в договоре',
    actor: TESTER,
  })
  const statement = await issue()

  const later = await sell(client, event.id, ['seat-1-1'])
  const [{ ticket_id: ticket, qr_token: token }] = later.tickets
  const gate = await aGate()
  await gate.scan(event.id, `${token}A`)
  const { data: booking } = await book(client, event.id, ['seat-1-2'])
  const { data: pending } = await order(client, booking.booking_id)
  // Parts of payments are written by the version before only; its trigger would allocate them once more.
  await ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
     INSERT INTO settlement_payment_parts (payment_id, statement_id, amount_tenge) SELECT ?, ?, 3000 FROM free`,
    payment,
    firstStatement
  )
  return {
    partner: partner.id,
    event: event.id,
    terms: termsId!,
    order: sold.order_id as string,
    openOrder: later.order_id as string,
    pendingOrder: pending.order_id as string,
    ticket: ticket as string,
    voidTicket: voidTicket as string,
    firstStatement,
    paidStatement: firstStatement,
    supersededStatement,
    statement,
    payment: payment!,
    request: request!,
    memo,
    openMemo,
    soldSeat: await idOf('SELECT event_seat_id AS id FROM tickets WHERE id = ?', ticket),
    scan: await idOf('SELECT id FROM ticket_scans WHERE event_id = ?', event.id),
    cancellationRequest: await idOf(
      `INSERT INTO cancellation_requests (event_id, reason, asked_by, lapses_at)
       VALUES (?, 'why', 'a', now() + interval '1 day') RETURNING id`,
      event.id
    ),
    settledMovement: await idOf(
      'SELECT id FROM ledger_movements WHERE statement_id = ? LIMIT 1',
      statement
    ),
    allocation: await idOf(
      'SELECT id FROM settlement_allocations WHERE credit = ?',
      `payment:${payment}`
    ),
    singleAct: await idOf(
      'SELECT id FROM settlement_single_acts WHERE subject = ?',
      `payment:${payment}`
    ),
    issuer: await idOf(
      `INSERT INTO settlement_issuers (legal_name, bin, set_by)
       SELECT legal_name, bin, 'a' FROM settlement_issuers ORDER BY id DESC LIMIT 1 RETURNING id`
    ),
  }
}

export type RowsToBreak = Awaited<ReturnType<typeof rowsToBreak>>
