import type {
  MatchSettings,
  PartnerEvent,
  RegisterMatcher,
} from '#reconciliation/matching/register_matcher'
import { milliseconds } from '#defects/facts/read_facts'
import type { MatchRow } from '#reconciliation/matching/match_row'
import type { RowProblem } from '#register_reading/parse_row'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import { streamOurOrders, streamAttempts } from '#reconciliation/store/read_our_orders'
import { readKeptFeeRules } from '#reconciliation/store/kept_fee_rules'
import { findSource } from '#reconciliation/store/register_source'
import type { RunContext } from '#runs/run_body'
import { MINUTE_MS } from '#shared/days'
import { allowLongQueries } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import type { Remote } from '#shared/calculation_thread'

const ROWS = `
  SELECT line, order_key AS "orderKey", order_id AS "orderId", payment_id AS "paymentId",
         amount_tenge AS "amountTenge", fee_tenge AS "feeTenge", returned_tenge AS "returnedTenge", ${milliseconds('at')} AS at, precision, kind, is_not_paid AS "isNotPaid", email, event,
         ticket_number AS "ticketNumber", is_unparseable AS "isUnparseable", nullif(problems, '[]') AS problems
    FROM partner_register_rows WHERE register_id = :registerId ORDER BY line`

type StoredRow = Omit<MatchRow, 'problems'> & { problems: RowProblem[] | null }

const NONE: [] = []
const toRow = (row: StoredRow): MatchRow => ({
  ...row,
  problems: row.problems ?? NONE,
})

const selectEvents = statement<PartnerEvent, { partnerId: number }>(
  'register_events',
  `SELECT e.id, ARRAY(SELECT value FROM jsonb_each_text(e.title)) AS titles
     FROM event_grants g JOIN events e ON e.id = g.event_id WHERE g.partner_id = :partnerId`
)

const countOrders = statement<
  { orders: number },
  { partnerId: number; from: Date; to: Date; limit: number }
>(
  'register_count_orders',
  `SELECT count(*)::int AS orders FROM (
     SELECT 1 FROM orders WHERE partner_id = :partnerId AND created_at >= :from AND created_at < :to LIMIT :limit) found`
)

/** More rows or orders than these are matched on a thread of their own. */
const LARGE = 2_000

export async function isLargeMatching({ partnerId, from, to, control }: PartnerRegister) {
  if ((control?.rowsIn ?? 0) > LARGE) return true
  const { orders } = await countOrders.one({ partnerId, from, to, limit: LARGE + 1 })
  return orders > LARGE
}

export type Matcher = RegisterMatcher | Remote<RegisterMatcher>

/** As many as a stream of rows brings at once: they die young. */
const BATCH = 250

/** Gives a matcher all rows, orders and confirms that belong to a register, from one snapshot, and returns the rest. */
export async function feedMatcher(
  matcher: Matcher,
  register: PartnerRegister,
  context: Pick<RunContext, 'signal' | 'progress'>
): Promise<MatchSettings> {
  return transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await allowLongQueries(trx)
    const { partnerId, from, to } = register
    const rows = streamRows<StoredRow>(ROWS, { registerId: register.id }, trx)
    await inBatches(rows, (batch) => matcher.addRows(batch.map(toRow)), 'reading', context)
    const orders = streamOurOrders(register, trx)
    await inBatches(orders, (batch) => matcher.addOrders(batch), 'reading_orders', context)
    const attempts = streamAttempts(register, trx)
    await inBatches(attempts, (batch) => matcher.addAttempts(batch), 'reading_orders', context)
    const source = await findSource(register.sourceId, trx)
    return {
      events: await selectEvents({ partnerId }, trx),
      period: { from, to },
      rowIs: source.rowIs,
      hasOwnPaymentIds: source.paymentIdsAre === 'own',
      covers: { sales: source.coversSales, refunds: source.coversRefunds },
      dayShiftMs: register.dayShiftMinutes * MINUTE_MS,
      keptFeeRules: await readKeptFeeRules(source.id, trx),
    }
  }, context.signal)
}

async function inBatches<Row>(
  rows: AsyncIterable<Row>,
  add: (batch: Row[]) => void | Promise<void>,
  phase: string,
  { progress }: Pick<RunContext, 'progress'>
) {
  let batch: Row[] = []
  let rowsDone = 0
  for await (const row of rows) {
    if (batch.push(row) < BATCH) continue
    await add(batch)
    rowsDone += batch.length
    batch = []
    progress({ phase, rowsDone, rowsTotal: 0 })
  }
  await add(batch)
}
