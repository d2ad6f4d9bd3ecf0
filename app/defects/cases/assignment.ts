import type { Actor } from '#shared/actor'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Who is to see to something, and by when; what is left out stays as it is. */
export interface Assignment {
  /** Somebody of the staff by id, who acts, or nobody. */
  owner?: number | 'me' | 'none'
  dueOn?: string | null
}
export interface Owner {
  id: number
  email: string
}

const findOwner = statement<Owner, { id: number | null; email: string | null }>(
  'settlement_owner',
  `SELECT id, email FROM staff
    WHERE disabled_at IS NULL AND (id = :id::integer OR lower(email) = lower(:email::text))`
)

/** Undefined: whoever it belongs to. Refuses, by the field `owner`, whoever is not or no longer of the staff. */
export async function ownerOf(
  { owner }: Assignment,
  actor: Actor,
  trx: TransactionClientContract
): Promise<Owner | null | undefined> {
  if (owner === undefined) return undefined
  if (owner === 'none') return null
  const found = await findOwner.first(
    owner === 'me' ? { id: null, email: actor.name } : { id: owner, email: null },
    trx
  )
  return found ?? refuseField('owner', 'exists', 'fields.not_one_of_these')
}

/** Undefined: as it is. Refuses, by the field `dueOn`, what is no day of a calendar. */
export function dueOnOf({ dueOn }: Assignment): string | null | undefined {
  if (dueOn === undefined || dueOn === null) return dueOn
  const at = new Date(`${dueOn}T00:00:00Z`)
  // A day of our time: PostgreSQL knows no year 0.
  const isReal = at.getTime() > 0 && at.toISOString().startsWith(dueOn)
  return isReal ? dueOn : refuseField('dueOn', 'date', 'fields.not_a_date')
}
