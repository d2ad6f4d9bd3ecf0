/**
 * How much of settlement one person may do without a second one, in one act and altogether in a day of the venues.
 * The limits are those of `config/platform.ts`. Corrections (memos) and payments add up
 * separately; what a second person has approved doesn't count.
 *
 * Example: the limit of corrections is 100,000.
 *   Anna   memo of 99,000    alone              her day: 99,000
 *   Anna   memo of 1,000     alone              her day: 100,000
 *   Anna   memo of 1         second person      her day: 100,000
 *   Bolat  memo of 100,001   second person      his day: 0
 */
import platform from '#config/platform'
import type { Actor } from '#shared/actor'
import { dayStart } from '#shared/days'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What adds up to one limit. */
export type LimitScope = 'correction' | 'payment'

const LIMITS: Record<LimitScope, () => bigint> = {
  correction: () => platform.singlePersonLimits.correctionTenge,
  payment: () => platform.singlePersonLimits.paymentTenge,
}

const lockDay = statement<object, { person: string }>(
  'settlement_single_acts_lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('settlement_single_acts ' || :person, 0))`
)
const sumOfDay = statement<
  { tenge: bigint },
  { person: string; scope: LimitScope; dayStart: Date }
>(
  'settlement_single_acts_sum',
  `SELECT coalesce(sum(amount_tenge), 0)::bigint AS tenge FROM settlement_single_acts
    WHERE person = :person AND scope = :scope AND acted_at >= :dayStart`
)
const insertAct = statement<
  object,
  { person: string; scope: LimitScope; amountTenge: bigint; subject: string }
>(
  'settlement_single_act_insert',
  `INSERT INTO settlement_single_acts (person, scope, amount_tenge, subject) VALUES (:person, :scope, :amountTenge, :subject)`
)

/**
 * Whether a person's act of this amount needs a second person. Locks the person's day until the transaction ends, so that
 * simultaneous acts count each other; called after the account is locked.
 */
export async function needsSecondPerson(
  scope: LimitScope,
  amountTenge: bigint,
  actor: Actor,
  trx: TransactionClientContract
): Promise<boolean> {
  const limit = LIMITS[scope]()
  if (amountTenge > limit) return true
  const person = actor.name
  await lockDay({ person }, trx)
  const { tenge } = await sumOfDay.one({ person, scope, dayStart: dayStart(new Date()) }, trx)
  return tenge + amountTenge > limit
}

/** Counts what a person did alone towards the person's day. `subject` as in `memo:7`, `payment:3`. */
export const countSingleAct = (
  scope: LimitScope,
  { amountTenge, subject }: { amountTenge: bigint; subject: string },
  actor: Actor,
  trx: TransactionClientContract
) => insertAct({ person: actor.name, scope, amountTenge, subject }, trx)
