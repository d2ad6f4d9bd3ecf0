import type {
  ConfirmEvidence,
  OurOrder,
  Reason,
  ReasonCode,
} from '#reconciliation/matching/match_case'
import type { OurOrders } from '#reconciliation/matching/our_orders'
import type { RowLink } from '#reconciliation/matching/row_link'
import type { MatchRow } from '#reconciliation/matching/match_row'

const REASON_OF: Record<OurOrder['status'], ReasonCode> = {
  expired: 'ORDER_EXPIRED',
  cancelled: 'ORDER_CANCELLED',
  pending: 'ORDER_PENDING',
  paid: 'SECOND_CHARGE',
  refunded: 'SECOND_CHARGE',
  partially_refunded: 'SECOND_CHARGE',
}

interface Explanation {
  /** Orders that the money was meant for and that were never paid. */
  unpaid: OurOrder[]
  /** The first of them, or the id that a confirm sent. */
  meantOrderId: string | null
  why: Reason[]
}

/**
 * Why money that a partner took has no paid order of ours: its order was never paid, its confirm was refused, or another payment
 * had paid its order.
 */
export class UnknownMoney {
  readonly #byOrder = new Map<string, ConfirmEvidence>()
  readonly #byPayment = new Map<string, ConfirmEvidence>()

  constructor(
    private readonly ours: OurOrders,
    attempts: readonly ConfirmEvidence[]
  ) {
    for (const attempt of attempts) {
      if (attempt.orderIdSent !== null) this.#byOrder.set(attempt.orderIdSent, attempt)
      if (attempt.externalPaymentId !== null)
        this.#byPayment.set(attempt.externalPaymentId, attempt)
    }
  }

  explain(links: readonly RowLink[]): Explanation {
    const attempt = this.#firstAttempt(links)
    const meant = new Set(links.flatMap(({ meantOrders }) => meantOrders))
    const attempted = this.ours.unpaidNamed(attempt?.orderIdSent ?? null)
    if (meant.size === 0 && attempted) meant.add(attempted)
    const unpaid = [...meant]
    const confirm = attempt ?? (unpaid[0] && this.#byOrder.get(unpaid[0].orderId))
    const why: Reason[] = unpaid.map(unpaidReason)
    if (confirm) why.push(outcomeOf(confirm))
    if (why.length === 0) why.push({ code: 'UNKNOWN_ORDER' })
    return { unpaid, meantOrderId: unpaid[0]?.orderId ?? confirm?.orderIdSent ?? null, why }
  }

  #firstAttempt(links: readonly RowLink[]): ConfirmEvidence | undefined {
    for (const { row } of links) {
      const attempt = this.#attemptOf(row)
      if (attempt) return attempt
    }
    return undefined
  }

  #attemptOf({ paymentId, orderId }: MatchRow): ConfirmEvidence | undefined {
    const byPayment = paymentId === null ? undefined : this.#byPayment.get(paymentId)
    return byPayment ?? (orderId === null ? undefined : this.#byOrder.get(orderId))
  }
}

/** The order that money was meant for, as the reason why it has no ticket; a paid one was charged twice. */
export const unpaidReason = ({ status, orderId }: OurOrder): Reason => ({
  code: REASON_OF[status],
  detail: { orderId },
})

const outcomeOf = ({ code, orderIdSent }: ConfirmEvidence): Reason => {
  const orderId = orderIdSent ?? ''
  return code === null
    ? { code: 'SECOND_CHARGE', detail: { orderId } }
    : { code: 'CONFIRM_REFUSED', detail: { orderId, answer: code } }
}
