import { sumOf, type Totals } from '#settlement/movements'
import { findNextPeriod, type NextPeriod } from '#settlement/queries/find_next_period'
import { readOpen } from '#settlement/statement_data'
import { transaction } from '#shared/transaction'

export type Preview = NextPeriod & {
  totals: Totals
  lines: number
  lateLines: number
  closingTenge: bigint
}

/** What the next statement would say if it were issued now; null before the first sale. */
export async function previewPeriod(partnerId: number): Promise<Preview | null> {
  return transaction(async (trx) => {
    const next = await findNextPeriod(partnerId, trx)
    if (!next) return null
    const head = { ...next, number: 0, partnerId, termsId: next.terms.id }
    const { totals, lines, lateLines } = await readOpen(head, trx)
    return { ...next, totals, lines, lateLines, closingTenge: next.openingTenge + sumOf(totals) }
  })
}
