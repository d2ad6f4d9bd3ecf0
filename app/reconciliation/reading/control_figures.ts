import type { DeclaredTotals } from '#reconciliation/reading/declared_totals'
import type { RegisterRow } from '#reconciliation/reading/parse_row'

export type Agreement = 'AGREES' | 'DIFFERS' | 'NOT_DECLARED'

/** The totals that the file declares, compared with what was read. */
export interface ControlReport {
  rowsIn: number
  parsed: number
  unparseable: number
  /** Sum of all readable amounts, refunds subtracted. */
  sumTenge: bigint
  salesTenge: bigint
  refundsTenge: bigint
  /** Sum of rows that the register marks as unpaid; part of `sumTenge`. */
  notPaidTenge: bigint
  declared: DeclaredTotals
  count: Agreement
  sum: Agreement
  /** Which of our sums equals the declared one. */
  sumAgreesWith: 'all' | 'paid' | 'sales' | null
}

/** Adds up a register row by row. */
export class ControlFigures {
  #figures = { rowsIn: 0, parsed: 0, unparseable: 0 }
  #sums = { sumTenge: 0n, salesTenge: 0n, refundsTenge: 0n, notPaidTenge: 0n }

  add({ amountTenge, kind, isNotPaid, isUnparseable }: RegisterRow) {
    this.#figures.rowsIn++
    this.#figures[isUnparseable ? 'unparseable' : 'parsed']++
    const tenge = amountTenge ?? 0n
    this.#sums.sumTenge += tenge
    if (isNotPaid) this.#sums.notPaidTenge += tenge
    else if (kind === 'sale') this.#sums.salesTenge += tenge
    else this.#sums.refundsTenge -= tenge
  }

  report(declared: DeclaredTotals): ControlReport {
    const sumAgreesWith = this.#agreesWith(declared.sumTenge)
    return {
      ...this.#figures,
      ...this.#sums,
      declared,
      sumAgreesWith,
      count: agreement(declared.count, declared.count === this.#figures.rowsIn),
      sum: agreement(declared.sumTenge, sumAgreesWith !== null),
    }
  }

  #agreesWith(declared: bigint | null) {
    const { sumTenge, salesTenge, notPaidTenge } = this.#sums
    if (declared === sumTenge) return 'all'
    if (declared === sumTenge - notPaidTenge) return 'paid'
    return declared === salesTenge ? 'sales' : null
  }
}

const agreement = (declared: number | bigint | null, isEqual: boolean): Agreement =>
  declared === null ? 'NOT_DECLARED' : isEqual ? 'AGREES' : 'DIFFERS'
