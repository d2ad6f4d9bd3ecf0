import type { Actor } from '#shared/actor'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Who handles a case, and by when; omitted fields stay unchanged. */
export interface Assignment {
  /** Id of a person of the staff, `me` for the actor, `none` for nobody. */
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

/** The new owner; null for nobody, undefined for no change. Refuses by the field `owner` who is not active staff. */
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

/** The new due day; undefined for no change. Refuses by the field `dueOn` a text that is no calendar day. */
export function dueOnOf({ dueOn }: Assignment): string | null | undefined {
  if (dueOn === undefined || dueOn === null) return dueOn
  const at = new Date(`${dueOn}T00:00:00Z`)
  // PostgreSQL has no year 0.
  const isReal = at.getTime() > 0 && at.toISOString().startsWith(dueOn)
  return isReal ? dueOn : refuseField('dueOn', 'date', 'fields.not_a_date')
}
