import type { AmountContent } from '#register_reading/read_amount'
import type { DeclaredTotals } from '#register_reading/declared_totals'
import type { ParsedRow } from '#register_reading/parse_row'
import { abs } from '#shared/tenge'

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
  /** What went back of charges that the same rows show; no part of `sumTenge`. */
  returnedTenge: bigint
  /** Fees that were added to net amounts; part of `sumTenge`. */
  feesAddedTenge: bigint
  /** Sum of rows that the register marks as unpaid; part of `sumTenge`. */
  notPaidTenge: bigint
  declared: DeclaredTotals
  count: Agreement
  sum: Agreement
  /** Which of our sums equals the declared one. */
  sumAgreesWith: 'all' | 'paid' | 'sales' | 'refunds' | 'net' | null
}

/** Adds up a register row by row. */
export class ControlFigures {
  #figures = { rowsIn: 0, parsed: 0, unparseable: 0 }
  #sums = {
    sumTenge: 0n,
    salesTenge: 0n,
    refundsTenge: 0n,
    notPaidTenge: 0n,
    returnedTenge: 0n,
    feesAddedTenge: 0n,
  }

  constructor(private readonly amountsAre: AmountContent = 'gross') {}

  add({ amountTenge, returnedTenge, feeTenge, kind, isNotPaid, isUnparseable }: ParsedRow) {
    this.#figures.rowsIn++
    this.#figures[isUnparseable ? 'unparseable' : 'parsed']++
    const tenge = amountTenge ?? 0n
    this.#sums.sumTenge += tenge
    this.#sums.returnedTenge += returnedTenge
    if (this.amountsAre === 'net' && feeTenge !== null)
      this.#sums.feesAddedTenge += tenge < 0n ? -abs(feeTenge) : abs(feeTenge)
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
    const { sumTenge, salesTenge, refundsTenge, notPaidTenge, feesAddedTenge } = this.#sums
    if (declared === sumTenge) return 'all'
    if (declared === sumTenge - notPaidTenge) return 'paid'
    if (declared === salesTenge) return 'sales'
    if (salesTenge === 0n && declared === refundsTenge) return 'refunds'
    return declared === sumTenge - feesAddedTenge ? 'net' : null
  }
}

const agreement = (declared: number | bigint | null, isEqual: boolean): Agreement =>
  declared === null ? 'NOT_DECLARED' : isEqual ? 'AGREES' : 'DIFFERS'
