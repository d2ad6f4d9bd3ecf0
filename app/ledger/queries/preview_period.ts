import { zeroTotals, netMovement, type MovementKind, type Totals } from '#ledger/movements'
import { findNextPeriod, TAKEN_MOVEMENTS, type NextPeriod } from '#ledger/queries/find_next_period'
import { allowLongQueries } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'
import { transaction } from '#shared/transaction'

export type PeriodPreview = NextPeriod & {
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
  { partnerId: number; from: Date; to: Date }
>(
  'settlement_open_totals',
  `SELECT kind, count(*)::int AS movements, (count(*) FILTER (WHERE effective_at < :from))::int AS late,
          sum(tickets)::int AS tickets, sum(amount_tenge)::bigint AS tenge
     FROM (SELECT kind, effective_at, tickets, amount_tenge FROM ledger_movements
            WHERE ${TAKEN_MOVEMENTS}
            UNION ALL SELECT kind, effective_at, tickets, amount_tenge FROM draft_roundings(:partnerId, :to)) lines
    GROUP BY kind`
)

/** The next statement as it would be issued now; null before the first movement. */
export async function previewPeriod(partnerId: number): Promise<PeriodPreview | null> {
  return transaction(async (trx) => {
    await allowLongQueries(trx)
    const next = await findNextPeriod(partnerId, trx)
    if (!next) return null
    const found = await selectTotals({ partnerId, from: next.from, to: next.to }, trx)
    const totals = zeroTotals()
    for (const { kind, movements, tickets, tenge } of found)
      totals[kind] = { movements, tickets, tenge }
    const lines = sumNumbers(found, ({ movements }) => movements)
    const lateLines = sumNumbers(found, ({ late }) => late)
    return {
      ...next,
      totals,
      lines,
      lateLines,
      closingTenge: next.openingTenge + netMovement(totals),
    }
  })
}
