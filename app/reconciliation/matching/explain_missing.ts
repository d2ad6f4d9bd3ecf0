import type { ConfirmEvidence, OurOrder, Reason } from '#reconciliation/matching/match_case'
import type { Matching } from '#reconciliation/matching/matching'
import type { RegisterRow } from '#reconciliation/reading/parse_row'

/** Refusals of a confirm and the defect that each is. */
// prettier-ignore
const DEFECT_OF: Readonly<Record<string, string>> = {
  ORDER_EXPIRED:        'CONFIRM_ORDER_EXPIRED',
  ORDER_CANCELLED:      'CONFIRM_ORDER_CANCELLED',
  EVENT_CANCELLED:      'CONFIRM_EVENT_CANCELLED',
  ORDER_NOT_FOUND:      'CONFIRM_UNKNOWN_ORDER',
  RATE_LIMIT_EXCEEDED:  'CONFIRM_THROTTLED',
}
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

  constructor(readonly matching: Matching) {}

  add(attempts: readonly ConfirmEvidence[]): void {
    for (const attempt of attempts) {
      if (attempt.code === null) continue
      if (attempt.orderIdSent !== null) this.#byOrder.set(attempt.orderIdSent, attempt)
      if (attempt.externalPaymentId !== null)
        this.#byPayment.set(attempt.externalPaymentId, attempt)
    }
  }

  explain(row: RegisterRow): Explanation {
    const attempt = this.#attemptOf(row)
    const unpaid = this.#unpaidOf(row, attempt)
    const refused = attempt ?? (unpaid && this.#byOrder.get(unpaid.orderId)) ?? null
    const why: Reason[] = unpaid ? [stateOf(unpaid)] : []
    if (refused) why.push(refusal(refused, unpaid))
    if (why.length === 0) why.push({ code: 'UNKNOWN_ORDER' })
    return { unpaid, why }
  }

  #attemptOf({ paymentId, orderId }: RegisterRow): ConfirmEvidence | null {
    const byPayment = paymentId === null ? undefined : this.#byPayment.get(paymentId)
    return byPayment ?? (orderId === null ? undefined : this.#byOrder.get(orderId)) ?? null
  }

  #unpaidOf(row: RegisterRow, attempt: ConfirmEvidence | null): OurOrder | null {
    const { ours, tracedToUnpaid } = this.matching
    const named = ours.unpaidNamed(row.orderKey) ?? ours.unpaidNamed(row.orderId)
    return (
      named ?? tracedToUnpaid.get(row) ?? ours.unpaidNamed(attempt?.orderIdSent ?? null) ?? null
    )
  }
}

const stateOf = ({ status, orderId }: OurOrder): Reason => ({
  code: REASON_OF[status as keyof typeof REASON_OF],
  detail: { orderId },
})

function refusal(
  { code, orderIdSent, amountTenge }: ConfirmEvidence,
  unpaid: OurOrder | null
): Reason {
  const isWrongAmount = unpaid !== null && amountTenge !== null && amountTenge !== unpaid.totalTenge
  const ofBody = isWrongAmount ? 'CONFIRM_AMOUNT_MISMATCH' : 'CONFIRM_BAD_BODY'
  const defect = DEFECT_OF[code!] ?? (code === 'INVALID_PARAMETERS' ? ofBody : 'CONFIRM_THROTTLED')
  return { code: 'CONFIRM_REFUSED', detail: { orderId: orderIdSent ?? '', answer: code!, defect } }
}
