import pg from 'pg'
import type { OurOrder } from '#settlement/registers/match_case'
import type { RawRow } from '#settlement/registers/raw_row'
import type { TableSource } from '#spreadsheets/table_source'
import type { Done, MatchingJob } from './jobs.ts'
import { built } from './product.ts'

const PREVIEW = 50

/** Reads a partner's register and matches it with our orders of the period; nothing is written down. */
export async function matchRegisterFile(job: MatchingJob): Promise<Done> {
  const { readTable } = await built('app/spreadsheets/read_table')
  const { parseRegister } = await built('app/settlement/registers/parse_register')
  const { matchRegister } = await built('app/settlement/registers/match_register')
  const [seen, whole]: TableSource[] = [await readTable(job.path), await readTable(job.path)]
  const { rows } = await parseRegister(whole.rows, await shapeOf(seen.rows))
  const orders = await readOrders(job)
  const period = { from: new Date(job.from), to: new Date(job.to) }
  const { cases, totals } = await matchRegister({ rows, orders, period })
  return {
    rows: rows.length,
    orders: orders.length,
    cases: cases.length,
    matched: totals.MATCHED.rows,
  }
}

async function shapeOf(rows: AsyncIterable<RawRow>) {
  const { findHeader } = await built('app/settlement/registers/find_header')
  const { proposeMapping } = await built('app/settlement/registers/propose_mapping')
  const first: RawRow[] = []
  for await (const row of rows) if (first.push(row) >= PREVIEW) break
  const { line: headerLine, headers } = findHeader(first)
  const below = first.filter(({ line }) => line > headerLine)
  const { mapping } = proposeMapping({ headers, rows: below, prefix: 'TIX' })
  return { headerLine, headers, mapping }
}

async function readOrders({ partnerId, from, to }: MatchingJob): Promise<OurOrder[]> {
  const database = new pg.Client({ connectionString: process.env.DATABASE_URL })
  database.setTypeParser(pg.types.builtins.INT8, BigInt)
  await database.connect()
  const { rows } = await database.query<OurOrder>(
    `SELECT o.id AS "orderId", o.partner_order_id AS "partnerOrderId", o.payment_external_id AS "externalPaymentId",
            o.total_tenge::bigint AS "totalTenge", coalesce(back.tenge, 0)::bigint AS "refundedTenge", o.stored_status AS status,
            o.created_at AS "createdAt", o.payment_paid_at AS "paidAt", o.confirmed_at AS "confirmedAt", NULL AS "emailHash",
            o.event_id AS "eventId", NULL AS "statementPeriod", true AS "isInPeriod"
       FROM orders o LEFT JOIN (
         SELECT order_id, -sum(amount_tenge)::bigint AS tenge FROM ledger_movements
          WHERE partner_id = $1 AND kind = 'refund' AND effective_at >= $2 AND effective_at < $3 GROUP BY 1) back
            ON back.order_id = o.id
      WHERE o.partner_id = $1 AND o.created_at >= $2 AND o.created_at < $3`,
    [partnerId, from, to]
  )
  await database.end()
  return rows
}
