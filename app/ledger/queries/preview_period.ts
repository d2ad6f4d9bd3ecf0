import { noTotals, sumOf, type MovementKind, type Totals } from '#ledger/movements'
import { findNextPeriod, type NextPeriod } from '#ledger/queries/find_next_period'
import { takeTime } from '#shared/patience'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export type Preview = NextPeriod & {
  totals: Totals
  lines: number
  lateLines: number
  closingTenge: bigint
}

const selectTotals = statement<
  {
    kind: MovementKind
    movements: number
    late: number
    tickets: number
    tenge: bigint
  },
  { partnerId: number; nextFrom: Date; nextTo: Date }
>(
  'settlement_open_totals',
  `SELECT kind, count(*)::int AS movements, (count(*) FILTER (WHERE effective_at < :nextFrom))::int AS late,
          sum(tickets)::int AS tickets, sum(amount_tenge)::bigint AS tenge
     FROM ledger_movements WHERE partner_id = :partnerId AND statement_id IS NULL AND effective_at < :nextTo GROUP BY kind`
)

/** What the next statement would say if it were issued now; null before the first sale. */
export async function previewPeriod(partnerId: number): Promise<Preview | null> {
  return transaction(async (trx) => {
    await takeTime(trx)
    const next = await findNextPeriod(partnerId, trx)
    if (!next) return null
    const found = await selectTotals({ partnerId, nextFrom: next.from, nextTo: next.to }, trx)
    const totals = noTotals()
    for (const { kind, movements, tickets, tenge } of found)
      totals[kind] = { movements, tickets, tenge }
    const lines = found.reduce((sum, { movements }) => sum + movements, 0)
    const lateLines = found.reduce((sum, { late }) => sum + late, 0)
    return { ...next, totals, lines, lateLines, closingTenge: next.openingTenge + sumOf(totals) }
  })
}
