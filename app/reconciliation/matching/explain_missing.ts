import type { ConfirmEvidence, OurOrder, Reason } from '#reconciliation/matching/match_case'
import type { Matching } from '#reconciliation/matching/matching'
import type { RegisterRow } from '#reconciliation/reading/parse_row'

const REASON_OF = {
  expired: 'ORDER_EXPIRED',
  cancelled: 'ORDER_CANCELLED',
  pending: 'ORDER_PENDING',
} as const

export interface Explanation {
  /** The order that was never paid for, if the row leads to one. */
  unpaid: OurOrder | null
  why: Reason[]
}

/** What became of money that a partner took and we have no paid order for. */
export class MissingMoney {
  readonly #byOrder = new Map<string, ConfirmEvidence>()
  readonly #byPayment = new Map<string, ConfirmEvidence>()

  constructor(
    readonly matching: Matching,
    attempts: readonly ConfirmEvidence[]
  ) {
    for (const attempt of attempts) {
      if (attempt.code === null) continue
      if (attempt.orderIdSent !== null) this.#byOrder.set(attempt.orderIdSent, attempt)
      if (attempt.externalPaymentId !== null)
        this.#byPayment.set(attempt.externalPaymentId, attempt)
    }
  }

  explain(row: RegisterRow): Explanation {
    const attempt = find(this.#byPayment, row.paymentId) ?? find(this.#byOrder, row.orderId)
    const unpaid = this.#unpaidOf(row, attempt)
    const refused = attempt ?? find(this.#byOrder, unpaid?.orderId)
    const why: Reason[] = unpaid ? [stateOf(unpaid)] : []
    if (refused) why.push(refusal(refused))
    if (why.length === 0) why.push({ code: 'UNKNOWN_ORDER' })
    return { unpaid, why }
  }

  #unpaidOf(row: RegisterRow, attempt?: ConfirmEvidence): OurOrder | null {
    const { ours, tracedToUnpaid } = this.matching
    const named = ours.unpaidNamed(row.orderKey) ?? ours.unpaidNamed(row.orderId)
    return (
      named ?? tracedToUnpaid.get(row) ?? ours.unpaidNamed(attempt?.orderIdSent ?? null) ?? null
    )
  }
}

const find = (attempts: Map<string, ConfirmEvidence>, id: string | null | undefined) =>
  id === null || id === undefined ? undefined : attempts.get(id)

const stateOf = ({ status, orderId }: OurOrder): Reason => ({
  code: REASON_OF[status as keyof typeof REASON_OF],
  detail: { orderId },
})

const refusal = ({ code, orderIdSent }: ConfirmEvidence): Reason => ({
  code: 'CONFIRM_REFUSED',
  detail: { orderId: orderIdSent ?? '', answer: code! },
})
