import type { Actor } from '#shared/actor'
import { busyReason } from '#shared/busy'
import { readInstant } from '#shared/instants'
import { jsonBeginning } from '#shared/json_beginning'
import { Refusal } from '#shared/refusals'
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
  /** `performance.now()` when the request reached us. */
  arrivedAt: number
  paymentInfo: SentPaymentInfo
}

export interface ConfirmAnswer {
  status: number
  code: string | null
}

/** The answer that an error becomes. */
export function answerTo(error: unknown): ConfirmAnswer {
  if (error instanceof Refusal) return { status: error.status!, code: error.refusalCode }
  if (busyReason(error)) return { status: 503, code: 'SERVICE_BUSY' }
  return { status: 500, code: 'INTERNAL_ERROR' }
}

const MAX_TEXT = 200

/** The beginning of it as text, whatever it was. */
function asText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value.slice(0, MAX_TEXT) : jsonBeginning(value, MAX_TEXT)
  return storable(text)
}

const asTenge = (value: unknown) => (Number.isSafeInteger(value) ? BigInt(value as number) : null)

/** What is known of an attempt when it arrives: the parameters of INSERT_ATTEMPT. */
export interface AttemptRow {
  partnerId: number
  orderIdSent: string | null
  requestId: string | null
  /** Measured as late as possible, when the statement is sent. */
  elapsedMs: () => number
  timestampSent: string | null
  isSignatureValid: boolean
  amountRaw: string | null
  amountTenge: bigint | null
  paidAtRaw: string | null
  paidAt: Date | null
  paidAtPrecision: string | null
  externalPaymentId: string | null
  currency: string | null
  method: string | null
}

export function toAttemptRow(received: ReceivedConfirm, isSignatureValid = true): AttemptRow {
  const { partnerId, actor, orderId, timestampSent, arrivedAt, paymentInfo } = received
  const paidAt = typeof paymentInfo.paid_at === 'string' ? readInstant(paymentInfo.paid_at) : null
  return {
    partnerId,
    orderIdSent: asText(orderId),
    requestId: actor.requestId,
    elapsedMs: () => performance.now() - arrivedAt,
    timestampSent: asText(timestampSent),
    isSignatureValid,
    amountRaw: asText(paymentInfo.amount_tenge),
    amountTenge: asTenge(paymentInfo.amount_tenge),
    paidAtRaw: asText(paymentInfo.paid_at),
    paidAt: paidAt?.at ?? null,
    paidAtPrecision: paidAt?.precision ?? null,
    externalPaymentId: asText(paymentInfo.external_payment_id),
    currency: asText(paymentInfo.currency),
    method: asText(paymentInfo.method),
  }
}

/**
 * Takes the parameters of AttemptRow, in a transaction of its own: `now()` is when its statement reached PostgreSQL. A wait for
 * a connection is within `elapsedMs`, a wait for a lock comes after `now()`: neither makes `received_at` later than the arrival.
 */
export const INSERT_ATTEMPT = `
  INSERT INTO confirm_attempts (
    partner_id, order_id_sent, request_id, received_at, timestamp_sent, signature_valid,
    amount_raw, amount_tenge, paid_at_raw, paid_at, paid_at_precision,
    external_payment_id, currency, method)
  VALUES (:partnerId, :orderIdSent, :requestId, now() - make_interval(secs => :elapsedMs::float8 / 1000), :timestampSent, :isSignatureValid,
          :amountRaw, :amountTenge, :paidAtRaw, :paidAt, :paidAtPrecision, :externalPaymentId, :currency, :method)`

/** The key of a stored attempt. The time is part of it, so that PostgreSQL looks into one month and not into all (ADR 31). */
export interface AttemptKey {
  attemptId: bigint
  /** With microseconds, as PostgreSQL has it. */
  receivedAt: string
}

const insertOnly = statement<AttemptKey, AttemptRow>(
  'attempt_insert',
  `${INSERT_ATTEMPT} RETURNING id AS "attemptId", received_at::text AS "receivedAt"`
)

const answerAttempt = statement<
  object,
  AttemptKey & {
    answerStatus: number
    answerCode: string | null
    id: string | null
    partnerId: number
  }
>(
  'attempt_answer',
  `UPDATE confirm_attempts a
      SET http_status = :answerStatus::smallint, code = :answerCode, answered_at = clock_timestamp(), window_ends_at = o.window_ends_at,
          order_status = order_status_at(a.received_at, o.stored_status, o.window_ends_at),
          names_other_payment = (:answerStatus::smallint = 200 AND a.external_payment_id IS DISTINCT FROM o.payment_external_id)
     FROM (SELECT 1) one
     LEFT JOIN orders o ON o.id = :id AND o.partner_id = :partnerId
    WHERE a.id = :attemptId AND a.received_at = :receivedAt::timestamptz AND a.answered_at IS NULL`
)

/**
 * Adds to a stored attempt how it was answered, and the order's stored status of now with the clock of its arrival. The first
 * answer stays: a payment that was stored, and whose connection broke before we knew, is not one of a failed confirm.
 */
export async function recordAttemptAnswer(
  attempt: AttemptKey,
  { orderId, partnerId }: { orderId: string | null; partnerId: number },
  answer: ConfirmAnswer
) {
  await answerAttempt({
    attemptId: attempt.attemptId,
    receivedAt: attempt.receivedAt,
    answerStatus: answer.status,
    answerCode: answer.code,
    id: asText(orderId),
    partnerId,
  })
}

/** Stores an attempt without its answer; returns its key. */
export async function insertAttempt(
  received: ReceivedConfirm,
  isSignatureValid: boolean
): Promise<AttemptKey> {
  return insertAttemptRow(toAttemptRow(received, isSignatureValid))
}

export async function insertAttemptRow(row: AttemptRow): Promise<AttemptKey> {
  return insertOnly.one(row)
}

/** Stores an attempt that has been answered already. */
export async function recordAnsweredAttempt(
  received: ReceivedConfirm,
  isSignatureValid: boolean,
  answer: ConfirmAnswer
) {
  const attempt = await insertAttempt(received, isSignatureValid)
  await recordAttemptAnswer(attempt, received, answer)
}
