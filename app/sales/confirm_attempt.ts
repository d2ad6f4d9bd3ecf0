import type { Actor } from '#shared/actor'
import { readInstant } from '#shared/instants'
import { jsonBeginning } from '#shared/json_beginning'
import { statement } from '#shared/statement'
import { storable } from '#shared/storable'

/** `payment_info` as it came, before any check: reconciliation needs the wrong ones too. */
export type SentPaymentInfo = Record<string, unknown>

export interface ReceivedConfirm {
  partnerId: number
  actor: Actor
  orderId: string
  /** `X-Timestamp` as sent. */
  timestampSent: string | null
  /** How long ago the request arrived, in ms of our monotonic clock; PostgreSQL's clock does the rest. */
  elapsedMs: number
  paymentInfo: SentPaymentInfo
}

export interface ConfirmAnswer {
  status: number
  code: string | null
}

const MAX_TEXT = 200

/** The beginning of it as text, whatever it was. */
function asText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value.slice(0, MAX_TEXT) : jsonBeginning(value, MAX_TEXT)
  return storable(text)
}

const asTenge = (value: unknown) => (Number.isSafeInteger(value) ? BigInt(value as number) : null)

/** The columns of `confirm_attempts` that are known on arrival, in the order of ATTEMPT_COLUMNS. */
export function attemptValues(received: ReceivedConfirm, isSignatureValid = true): unknown[] {
  const { partnerId, actor, orderId, timestampSent, elapsedMs, paymentInfo } = received
  const paidAt = typeof paymentInfo.paid_at === 'string' ? readInstant(paymentInfo.paid_at) : null
  return [
    ...[
      partnerId,
      asText(orderId),
      actor.requestId,
      elapsedMs,
      asText(timestampSent),
      isSignatureValid,
    ],
    ...[asText(paymentInfo.amount_tenge), asTenge(paymentInfo.amount_tenge)],
    ...[asText(paymentInfo.paid_at), paidAt?.at ?? null, paidAt?.precision ?? null],
    ...[paymentInfo.external_payment_id, paymentInfo.currency, paymentInfo.method].map(asText),
  ]
}

/** Takes $1 to $14. */
export const INSERT_ATTEMPT = `
  INSERT INTO confirm_attempts (
    partner_id, order_id_sent, request_id, received_at, timestamp_sent, signature_valid,
    amount_raw, amount_tenge, paid_at_raw, paid_at, paid_at_precision,
    external_payment_id, currency, method)
  VALUES ($1, $2, $3, clock_timestamp() - make_interval(secs => $4::float8 / 1000), $5, $6,
          $7, $8, $9, $10, $11, $12, $13, $14)`

const insertOnly = statement<{ id: bigint }>('attempt_insert', `${INSERT_ATTEMPT} RETURNING id`)

const answerAttempt = statement(
  'attempt_answer',
  `UPDATE confirm_attempts a
      SET http_status = $2, code = $3, answered_at = clock_timestamp(), window_ends_at = o.window_ends_at,
          order_status = order_status_at(a.received_at, o.stored_status, o.window_ends_at)
     FROM (SELECT 1) one
     LEFT JOIN orders o ON o.id = $4 AND o.partner_id = $5
    WHERE a.id = $1`
)

/** How the attempt was answered, and how the order stood then. */
export async function recordAnswer(
  attemptId: bigint,
  { orderId, partnerId }: ReceivedConfirm,
  answer: ConfirmAnswer
) {
  await answerAttempt([attemptId, answer.status, answer.code, asText(orderId), partnerId])
}

/** Writes the attempt alone; gives its id. */
export async function insertAttempt(
  received: ReceivedConfirm,
  isSignatureValid: boolean
): Promise<bigint> {
  const { id } = await insertOnly.one(attemptValues(received, isSignatureValid))
  return id
}

/** For a confirm that was turned away before it reached the order: throttled, wrongly signed or malformed. */
export async function recordTurnedAway(
  received: ReceivedConfirm,
  isSignatureValid: boolean,
  answer: ConfirmAnswer
) {
  const attemptId = await insertAttempt(received, isSignatureValid)
  await recordAnswer(attemptId, received, answer)
}
