/**
 * What somebody asks for and a second person decides: payments and their reversals, terms and their withdrawals, above what one person
 * may do (`single_person_limits.ts`). A request stores the input of the act, which is done, and checked again, once it
 * is approved. Memos wait in their own table, because they have a number and a life of their own.
 */
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export const REQUEST_ACTS = ['payment', 'payment_reversal', 'terms', 'terms_withdrawal'] as const
export type RequestAct = (typeof REQUEST_ACTS)[number]

/** The input of an act as JSON, which writes money as decimal digits. */
export type StoredInput = Record<string, unknown>

export interface SettlementRequest {
  id: number
  partnerId: number
  act: RequestAct
  input: StoredInput
  amountTenge: bigint
  askedBy: string
  outcome: string | null
}

const insertRequest = statement<
  { id: number },
  { partnerId: number; act: RequestAct; input: string; amountTenge: bigint; askedBy: string }
>(
  'settlement_request_insert',
  `INSERT INTO settlement_requests (partner_id, act, input, amount_tenge, asked_by)
   VALUES (:partnerId, :act, :input::jsonb, :amountTenge, :askedBy) RETURNING id`
)
const lockRequest = statement<SettlementRequest, { requestId: number }>(
  'settlement_request_lock',
  `SELECT id, partner_id AS "partnerId", act, input, amount_tenge AS "amountTenge", asked_by AS "askedBy", outcome
     FROM settlement_requests WHERE id = :requestId FOR NO KEY UPDATE`
)
const selectPartner = statement<{ code: string }, { requestId: number }>(
  'settlement_request_partner',
  `SELECT p.code FROM settlement_requests r JOIN partners p ON p.id = r.partner_id WHERE r.id = :requestId`
)

/** Sets a request's outcome, once. */
export const setRequestOutcome = statement<
  object,
  { requestId: number; outcome: 'approved' | 'declined'; actor: string }
>(
  'settlement_request_end',
  `UPDATE settlement_requests SET outcome = :outcome, decided_by = :actor, decided_at = clock_timestamp() WHERE id = :requestId`
)

interface NewRequest {
  partnerId: number
  act: RequestAct
  input: StoredInput
  /** What it moves; 0 for an act that moves nothing by itself. */
  amountTenge: bigint
}

/** Stores a request and records who asked for it. */
export async function askSecondPerson(
  { partnerId, act, input, amountTenge }: NewRequest,
  actor: Actor,
  trx: TransactionClientContract
): Promise<number> {
  const { id } = await insertRequest.one(
    { partnerId, act, input: JSON.stringify(input), amountTenge, askedBy: actor.name },
    trx
  )
  await record(
    'settlement_request_asked',
    requestEntry({ act, amountTenge, input }),
    { actor, partnerId },
    trx
  )
  return id
}

export const requestEntry = ({
  act,
  amountTenge,
  input,
}: Pick<SettlementRequest, 'act' | 'amountTenge' | 'input'>) => ({
  act,
  amount_tenge: String(amountTenge),
  input,
})

/** The code of the partner whose account is locked before the request. Refuses NO_SUCH. */
export async function partnerCodeOfRequest(requestId: number): Promise<string> {
  const found = await selectPartner.first({ requestId })
  return found?.code ?? refuse('NO_SUCH', { what: 'request' })
}

/** Refuses REQUEST_NOT_OPEN once it is decided. */
export async function lockOpenRequest(requestId: number, trx: TransactionClientContract) {
  const request = await lockRequest.first({ requestId }, trx)
  if (!request) refuse('NO_SUCH', { what: 'request' })
  if (request.outcome !== null) refuse('REQUEST_NOT_OPEN')
  return request
}
