import type { MatchInput } from '#reconciliation/matching/match_register'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import { plainText } from '#reconciliation/reading/raw_row'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import { streamOurOrders, streamRefusals } from '#reconciliation/store/read_our_orders'
import { toFeeRule, type StoredFeeRule } from '#reconciliation/store/stored_values'
import type { RunContext } from '#runs/run_body'
import { takeTime } from '#shared/patience'
import { statement } from '#shared/statement'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import { createHash } from 'node:crypto'

// Not what the file says in other columns: that stays where it is.
const ROWS = `
  SELECT line, '[]'::jsonb AS raw, order_key AS "orderKey", order_id AS "orderId", payment_id AS "paymentId",
         amount_tenge AS "amountTenge", fee_tenge AS "feeTenge", at, precision, kind, is_not_paid AS "isNotPaid", email, event,
         ticket_number AS "ticketNumber", is_unparseable AS "isUnparseable", problems
    FROM partner_register_rows WHERE register_id = :registerId ORDER BY line`

const selectEvents = statement<{ id: string; titles: string[] }, { partnerId: number }>(
  'register_events',
  `SELECT e.id, ARRAY(SELECT value FROM jsonb_each_text(e.title)) AS titles
     FROM event_grants g JOIN events e ON e.id = g.event_id WHERE g.partner_id = :partnerId`
)
const selectRules = statement<{ rules: StoredFeeRule[] }, { partnerId: number }>(
  'register_habit_fees',
  'SELECT fee_rules AS rules FROM partner_register_habits WHERE partner_id = :partnerId'
)

/** All that a register is matched with, out of one snapshot. */
export async function readMatchInput(
  register: PartnerRegister,
  context: Pick<RunContext, 'signal' | 'progress'>
): Promise<MatchInput> {
  return transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await takeTime(trx)
    const take = <Row>(rows: AsyncIterable<Row>, phase: string) => gathered(rows, phase, context)
    const { partnerId, from, to } = register
    const rules = await selectRules.first({ partnerId }, trx)
    return {
      resolveEvent: eventFinder(await selectEvents({ partnerId }, trx)),
      rows: await take(streamRows<RegisterRow>(ROWS, { registerId: register.id }, trx), 'reading'),
      orders: await take(streamOurOrders(register, trx), 'reading_orders'),
      attempts: await take(streamRefusals(register, trx), 'reading_orders'),
      period: { from, to },
      hashEmail,
      keptFeeRules: rules?.rules.map(toFeeRule),
    }
  }, context.signal)
}

const ROWS_BETWEEN_LOOKS = 1_000

async function gathered<Row>(
  rows: AsyncIterable<Row>,
  phase: string,
  { progress }: Pick<RunContext, 'progress'>
) {
  const found: Row[] = []
  for await (const row of rows) {
    if (found.push(row) % ROWS_BETWEEN_LOOKS !== 0) continue
    progress({ phase, rowsDone: found.length, rowsTotal: 0 })
  }
  return found
}

/** As `read_our_orders.ts` has PostgreSQL do it. */
const hashEmail = (email: string) => createHash('md5').update(email.toLowerCase()).digest('hex')

/** By id, or by a title that no other event of the partner has. */
function eventFinder(events: readonly { id: string; titles: string[] }[]) {
  const found = new Map<string, string | null>()
  const words = (text: string) => plainText(text).toLowerCase()
  for (const { id, titles } of events) {
    for (const title of new Set(titles.map(words))) found.set(title, found.has(title) ? null : id)
    found.set(words(id), id)
  }
  return (text: string) => found.get(words(text)) ?? null
}
