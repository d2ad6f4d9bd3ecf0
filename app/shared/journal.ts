import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#shared/actor'
import { statement } from '#shared/statement'
import { isDeepStrictEqual } from 'node:util'

/** Field by field, what was and what is. */
export type Changed = Record<string, { from: unknown; to: unknown }>

/** The fields of `is` that were something else before; nothing and null are the same. */
export function differences(was: object, is: object): Changed {
  const before = was as Record<string, unknown>
  const fields = Object.entries(is).map(
    ([field, to]) => [field, { from: before[field] ?? null, to: (to as unknown) ?? null }] as const
  )
  return Object.fromEntries(fields.filter(([, { from, to }]) => !isDeepStrictEqual(from, to)))
}

/** An entry that its subjects say everything about. */
export type NoDetails = Record<string, never>

/**
 * Names of journal entries with the details of each. Empty here: every module declares its own in
 * `<module>/journal_entries.ts`, so that a name that nobody declares does not compile.
 */
export interface JournalEntries {}

export type JournalEntryName = keyof JournalEntries

export interface JournalSubjects {
  partnerId?: number
  eventId?: string
  bookingId?: string
  orderId?: string
}

interface EntryRow extends ActorParams {
  name: string
  partnerId: number | null
  eventId: string | null
  bookingId: string | null
  orderId: string | null
  change: string
}

const insertEntry = statement<object, EntryRow>(
  'journal_insert',
  `INSERT INTO journal (name, actor_kind, actor, request_id, partner_id, event_id, booking_id, order_id, change)
   VALUES (:name, :actorKind, :actor, :requestId, :partnerId, :eventId, :bookingId, :orderId, :change)`
)

/**
 * Records a change in the transaction that makes it, so that both happen or neither.
 * Statements that write and record at once use `journalEntry`.
 */
export async function record<Name extends keyof JournalEntries>(
  name: Name,
  change: JournalEntries[Name],
  { actor, ...subjects }: JournalSubjects & { actor: Actor },
  trx: TransactionClientContract
): Promise<void> {
  const { partnerId, eventId, bookingId, orderId } = subjects
  const row: EntryRow = {
    ...actorParams(actor),
    name,
    partnerId: partnerId ?? null,
    eventId: eventId ?? null,
    bookingId: bookingId ?? null,
    orderId: orderId ?? null,
    change: JSON.stringify(change),
  }
  await insertEntry(row, trx)
}

/** Values of the parameters that `journalEntry` names, for a change that somebody has asked for. */
export interface ActorParams {
  actorKind: string
  actor: string
  requestId: string | null
}

export const actorParams = ({ kind, name, requestId }: Actor): ActorParams => ({
  actorKind: kind,
  actor: name,
  requestId,
})

type Sql = string

interface EntrySource {
  /** The rows that get an entry each: `paid`, or `failed ORDER BY received_at`. */
  from: Sql
  /** Whose act it is: the one of `ActorParams`, or the clock's. */
  by: 'actor' | 'clock'
  requestId?: Sql
  partnerId?: Sql
  eventId?: Sql
  bookingId?: Sql
  orderId?: Sql
}

/** SQL of each declared detail; an entry that is declared without details has none. */
type EntryDetails<Name extends JournalEntryName> = JournalEntries[Name] extends NoDetails
  ? { details?: never }
  : { details: { [Detail in keyof JournalEntries[Name]]: Sql } }

/**
 * SQL that records an entry for each row of `from`, for statements that write and record at once:
 *
 *     WITH paid AS (UPDATE orders … RETURNING *),
 *     entry AS (${journalEntry('order_confirmed', { from: 'paid', by: 'actor', orderId: 'id' })})
 */
export function journalEntry<Name extends JournalEntryName>(
  name: Name,
  entry: EntrySource & EntryDetails<Name>
): Sql {
  const { from, by, details = {}, ...columns }: EntrySource & { details?: object } = entry
  const who = by === 'actor' ? `:actorKind, :actor, ` : `'clock', 'clock', `
  const requestId = columns.requestId ?? (by === 'actor' ? ':requestId::uuid' : 'NULL::uuid')
  const { partnerId = 'NULL', eventId = 'NULL', bookingId = 'NULL', orderId = 'NULL' } = columns
  const pairs = Object.entries(details).map(([key, sql]: [string, Sql]) => `'${key}', ${sql}`)
  return `INSERT INTO journal (name, actor_kind, actor, request_id, partner_id, event_id, booking_id, order_id, change)
    SELECT '${name}', ${who}${requestId}, ${partnerId}, ${eventId}, ${bookingId}, ${orderId}, jsonb_build_object(${pairs.join(', ')})
      FROM ${from}`
}
