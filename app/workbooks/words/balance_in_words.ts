import { CONFIRMS } from '#defects/balance/component'
import type { ConstantIdBound } from '#defects/balance/constant_id_bounds'
import type {
  ExplainedBalance,
  ExplainedOrder,
  ExplainedPayment,
  ShownBySource,
} from '#defects/balance/explained'
import { tengeText } from '#shared/tenge_text'
import type texts from '#resources/lang/ru/cases.json'

/** One language of the texts `case_balance`, which the case page and workbooks have in common. */
export interface BalanceLanguage {
  text: (
    key: keyof (typeof texts)['case_balance'],
    values?: Record<string, string | number>
  ) => string
  count: (value: number) => string
}

/** The two equations and their terms, without the purchases. */
export type BalanceSums = Omit<ExplainedBalance<number>, 'purchases' | 'rest'>

/**
 * A balance in words.
 *
 * Example: 24,000 charged for one valid ticket of 12,000, which the source «Shop» shows
 *     Charged 24 000 ₸ − returned 0 ₸ − tickets for 12 000 ₸ = 12 000 ₸ to the buyer
 *     “Shop” acknowledges 12 000 ₸ − tickets for 12 000 ₸ = 0 ₸: even
 *     Result: 12 000 ₸ to the buyer
 */
export class BalanceInWords {
  readonly #text: BalanceLanguage['text']

  constructor(
    private readonly language: BalanceLanguage,
    /** The names of register sources, by their ids. */
    private readonly sourceNames: Readonly<Record<string, string>>
  ) {
    this.#text = language.text
  }

  sourceName(source: string) {
    if (source === CONFIRMS) return this.#text('confirms')
    return this.sourceNames[source] ?? this.#text('unknown_source', { id: source })
  }

  /** What a source shows of a payment, and why it counts or does not. */
  figures({ shown }: ExplainedPayment<number>, own: ShownBySource<number>): string[] {
    const figures: string[] = []
    if (own.chargedTenge > 0) {
      const counted = shown.find(({ isChargeCounted }) => isChargeCounted)
      const isSame = counted?.chargedTenge === own.chargedTenge
      const why = own.isChargeCounted
        ? this.#text('counts')
        : counted
          ? this.#whyOther(counted.source, isSame)
          : this.#text('counted_elsewhere')
      const money = this.#text('shows_charge', { money: tengeText(own.chargedTenge) })
      figures.push(`${money}: ${why}`)
    }
    if (own.returnedTenge > 0) {
      const counted = shown.find(({ isReturnCounted }) => isReturnCounted)
      const isSame = counted?.returnedTenge === own.returnedTenge
      const why = own.isReturnCounted
        ? this.#text('counts')
        : counted
          ? this.#whyOther(counted.source, isSame)
          : this.#whyReturnIsLeftOut(own)
      const money = this.#text('shows_return', { money: tengeText(own.returnedTenge) })
      figures.push(`${money}: ${why}`)
    }
    return figures
  }

  /** What became of the tickets of an order. */
  tickets({ totalTenge, validTenge }: ExplainedOrder<number>): string {
    if (totalTenge === 0) return this.#text('order_unpaid')
    if (validTenge === totalTenge)
      return this.#text('order_valid', { total: tengeText(totalTenge) })
    return this.#text('order_sold', {
      total: tengeText(totalTenge),
      valid: tengeText(validTenge),
      voided: tengeText(totalTenge - validTenge),
    })
  }

  /** Both equations in words, and what follows from them for each party. */
  calculation(balance: BalanceSums): string[] {
    const { openTenge, buyerTenge, notYetDueTenge, usedVoidTenge } = balance
    const lacking = balance.acknowledgedTenge - balance.boughtTenge
    // Without tickets there is nothing to acknowledge.
    const acknowledged = balance.boughtTenge > 0 || lacking < 0 ? balance.acknowledged : []
    const end = openTenge > 0 ? 'buyer' : openTenge < 0 ? 'ours' : 'even'
    const bought = tengeText(balance.boughtTenge)
    const sentences = [
      this.#text(`equation_${end}`, {
        charged: tengeText(balance.chargedTenge),
        returned: tengeText(balance.returnedTenge),
        bought,
        open: tengeText(openTenge),
      }),
    ]
    if (openTenge > 0 && notYetDueTenge > 0) {
      const money = tengeText(Math.min(openTenge, notYetDueTenge))
      sentences.push(this.#text('not_yet_due', { money, left: tengeText(buyerTenge) }))
    }
    const unpaidTenge = Math.max(0, balance.boughtTenge - balance.chargedTenge)
    const overReturnedTenge = Math.max(0, -openTenge - unpaidTenge)
    if (unpaidTenge > 0) sentences.push(this.#text('unpaid', { money: tengeText(unpaidTenge) }))
    if (overReturnedTenge > 0)
      sentences.push(this.#text('over_returned', { money: tengeText(overReturnedTenge) }))
    const isOne = acknowledged.length === 1
    const verdict = lacking < 0 ? 'ours' : 'even'
    for (const { source, acknowledgedTenge } of acknowledged) {
      sentences.push(
        this.#text(`source_${isOne ? verdict : 'alone'}`, {
          source: this.sourceName(source),
          acknowledged: tengeText(acknowledgedTenge),
          bought,
          difference: tengeText(lacking),
        })
      )
    }
    if (acknowledged.length > 1)
      sentences.push(
        this.#text(`together_${verdict}`, {
          acknowledged: tengeText(balance.acknowledgedTenge),
          bought,
          difference: tengeText(lacking),
        })
      )
    const ours = unpaidTenge + overReturnedTenge + Math.max(0, -lacking) + usedVoidTenge
    if (ours > balance.platformTenge) sentences.push(this.#text('larger'))
    if (usedVoidTenge > 0)
      sentences.push(this.#text('used_void', { money: tengeText(usedVoidTenge) }))
    sentences.push(...boundsOf(balance).map((bound) => this.#boundInWords(bound)))
    return [...sentences, this.#resultOf(balance)]
  }

  #whyOther(counted: string, isSame: boolean) {
    return this.#text(isSame ? 'same' : 'larger_counts', { source: this.sourceName(counted) })
  }

  /** Balances of before do not say which it is. */
  #whyReturnIsLeftOut({ isTooEarly }: ShownBySource<number>) {
    if (isTooEarly === undefined) return this.#text('return_not_counted')
    return this.#text(isTooEarly ? 'return_too_early' : 'counted_elsewhere')
  }

  #boundInWords(bound: ConstantIdBound<number>) {
    return this.#text('up_to', {
      id: bound.paymentId,
      orders: this.language.count(bound.orders),
      bought: tengeText(bound.boughtTenge),
      largest: tengeText(bound.largestTenge),
      money: tengeText(bound.upToTenge),
    })
  }

  #resultOf({ buyerTenge, platformTenge, partnerTenge }: BalanceSums): string {
    const parties = [
      ['BUYER', buyerTenge],
      ['PLATFORM', platformTenge],
      ['PARTNER', partnerTenge],
    ] as const
    const parts = parties
      .filter(([, money]) => money > 0)
      .map(([party, money]) => this.#text(`to_${party}`, { money: tengeText(money) }))
    if (parts.length === 0) return this.#text('result_NONE')
    return this.#text('result', { parts: parts.join(', ') })
  }
}

/** Bounds of what may be missing by payment ids that name no single payment. */
export const boundsOf = (balance: Pick<BalanceSums, 'constantIds'> | null) =>
  (balance?.constantIds ?? []).filter(({ upToTenge }) => upToTenge > 0)
