import type { RefundSeen } from '#defects/facts/register_facts'
import type { Spell } from '#reconciliation/reading/payment_spelling'
import type { DatedRefund, EvidenceRow } from '#reconciliation/evidence/evidence_rows'
import { dedupeAcrossRegisters, type ShownMoney } from '#reconciliation/evidence/shown_money'
import { larger, sum } from '#shared/tenge'

/** What went back of one order, as one register or several show it. */
export class ShownRefunds {
  readonly #rows: ShownMoney[] = []
  /** What sales are told net of: all that went back until then. */
  readonly #nets: { tenge: bigint; until: number }[] = []

  add(
    { isNet = false, ...refund }: DatedRefund,
    { registerId, periodFrom, periodTo }: EvidenceRow
  ) {
    const [from, to] = [periodFrom.getTime(), periodTo.getTime()]
    if (isNet) this.#nets.push({ tenge: refund.tenge, until: to })
    else this.#rows.push({ ...refund, registerId, from, to })
  }

  /**
   * Where one register has a row for a refund and another tells the sale net of it, it went back once. Takes which refunds
   * such a sale is net of.
   */
  seen(spell: Spell, isOne: (refund: RefundSeen) => boolean): RefundSeen[] {
    const spelled = this.#rows.map((row) => ({ ...row, paymentId: spell(row.paymentId) }))
    const shown = dedupeAcrossRegisters(spelled)
    const unshown = this.#nets.map(({ tenge, until }) => {
      const before = shown.filter((one) => (one.at ?? one.from) < until && isOne(one))
      return tenge - sum(before.map((one) => one.tenge))
    })
    const refunds = shown.map(({ tenge, paymentId }) => ({ tenge, paymentId }))
    const most = unshown.reduce(larger, 0n)
    return most > 0n ? [...refunds, { tenge: most, paymentId: null }] : refunds
  }
}
