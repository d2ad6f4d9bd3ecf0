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

interface MemoEntry {
  kind: string
  amount_tenge: string
  reason: string
}

interface ContactEntry {
  email: string
  language: string
  gets_statements: boolean
}
interface MailEntry {
  mail: number
  purpose: string
  run: number | null
  recipient: string
}
interface ScheduleEntry {
  kind: string
  every: string
  day: number | null
  hour: number
  language: string
  recipients: string[]
}

/** What can be recorded, and what each tells beside its subjects. */
export interface JournalEntries {
  hall_imported: { hall_id: number; seats: number }
  event_created: { title: string }
  event_status_changed: { from: string; to: string; reason: string | null }
  event_edited: { changed: Changed; reason?: string }
  event_rescheduled: { from: string; to: string; changed?: Changed; reason?: string }
  /** The lowest price has changed, which partners see; `category_prices_set` tells which prices did. */
  event_prices_set: { price_from_tenge: string | null }
  category_prices_set: { changed: Changed }
  event_cancelled: {
    reason: string
    tickets_voided: number
    bookings_expired: number
    asked_by?: string
  }
  event_cancellation_asked: { reason: string; lapses_at: string }
  event_cancellation_approved: { asked_by: string }
  /** Somebody tried to approve whose account the asker, or who is behind the asker, has set up or changed lately. */
  approval_refused: { asked_by: string; linked_by: string; linked_until: string }
  event_cancellation_declined: { asked_by: string; reason: string }
  partner_created: { code: string }
  partner_changed: {
    changed: Changed
    reason: string | null
  }
  partner_key_issued: { api_key: string }
  partner_key_rotated: { api_key: string; replaced_by: string; expires_at: string }
  partner_key_revoked: { api_key: string }
  partner_suspended: { reason: string | null }
  partner_resumed: { reason: string | null }
  grant_given: { reason: string | null }
  grant_revoked: { reason: string | null }
  seats_blocked: { seats: string[]; reason: string | null }
  seats_unblocked: { seats: string[]; reason: string | null }
  storefront_held: { seats: string[]; cart_id: string }
  storefront_released: { cart_id: string; seats: number }
  storefront_sold: { cart_id: string; seats: number }
  tickets_refunded: { ticket_ids: string[]; reason: string; refunded_tenge: string }
  tickets_voided: { ticket_ids: string[]; reason: string; worth_tenge: string }
  ticket_admitted: { ticket_id: string; number: string; offline_at?: string }
  gate_device_created: { name: string }
  gate_device_revoked: { name: string; reason: string }
  webhook_endpoint_set: { url: string; was: string | null }
  webhook_endpoint_failing: { url: string; since: string }
  webhook_endpoint_disabled: { url: string; cause: string }
  webhooks_replayed: { deliveries: number }
  webhook_pushed: { webhook_id: string }
  list_exported: { list: string; filters: Record<string, string | null> }
  settlement_terms_set: Record<string, unknown>
  statement_issued: {
    statement: string
    period_from: string
    period_to: string
    closing_tenge: string
    data_sha256: string
  }
  statement_status_changed: { statement: string; from: string; to: string; note: string | null }
  statement_superseded: { statement: string; lines: number; reason: string }
  memo_asked: MemoEntry
  memo_approved: MemoEntry & { memo: string }
  memo_declined: MemoEntry & { note: string | null }
  case_changed: {
    case_id: number
    from: string
    to: string
    owner: string | null
    due_on: string | null
    reason: string | null
    false_positive?: boolean
  }
  case_answered: {
    case_id: number
    defect_id: number
    code: string
    answer: string
    refund_on: string | null
    refund_number: string | null
    comment: string | null
  }
  rule_set_activated: { from: number; to: number; reason: string }
  settlement_exported: { file: string; language: string; data_sha256: string }
  register_uploaded: {
    register_id: number
    file: string
    sha256: string
    period_from: string
    period_to: string
  }
  register_mapped: { register_id: number; mapping: Record<string, string> }
  register_matches_decided: { register_id: number; cases: number } & Record<string, unknown>
  register_confirmed: { register_id: number; file: string; sha256: string; fee_rules_kept: boolean }
  register_dropped: {
    register_id: number
    file: string
    sha256: string
    was: string
    reason: string
  }
  run_asked: { run: number; kind: string; params: Record<string, unknown> }
  run_cancelled: { run: number; kind: string }
  run_file_downloaded: { run: number; file: string; sha256: string }
  settlement_contact_set: ContactEntry & { was: Omit<ContactEntry, 'email'> | null }
  settlement_contact_removed: ContactEntry
  statement_mailed: { statement: string; recipients: string[]; automatic: boolean }
  mail_sent: MailEntry & { sha256: string | null }
  mail_failed: MailEntry & { failure: string }
  report_schedule_set: { schedule: number } & ScheduleEntry
  report_schedule_changed: { schedule: number; changed: Changed }
  report_schedule_paused: { schedule: number; kind: string }
  report_schedule_resumed: { schedule: number; kind: string }
  report_schedule_removed: { schedule: number } & ScheduleEntry
  report_schedule_run: { schedule: number; run: number; recipients: number }
  payment_recorded: { bank_reference: string; direction: string; amount_tenge: string }
  staff_created: { email: string; role: string }
  staff_role_changed: { email: string; from: string; to: string; reason: string }
  staff_disabled: { email: string; reason: string }
  staff_enabled: { email: string; reason: string | null }
  staff_password_reset: { email: string; reason: string }
  staff_password_changed: Record<string, never>
  staff_second_factor_set: Record<string, never>
  staff_second_factor_dropped: Record<string, never>
  staff_second_factor_reset: { email: string; reason: string }
  /** After too many wrong codes; only an administrator unlocks it. */
  staff_second_factor_locked: { email: string; failures: number }
  staff_sign_in_unlocked: { email: string; reason: string; failures: number }
  /** Wrong passwords and codes since the last such entry; without an account nobody of that name works here. */
  staff_sign_in_failed: {
    staff_id: number | null
    email: string | null
    failures: number
    /** network → its failures */
    addresses: Record<string, number>
    more_addresses: number | null
  }
  staff_recovery_codes_renewed: Record<string, never>
  staff_recovery_code_used: { left: number }
  staff_sessions_ended: { sessions: number }
  staff_signed_in: { address: string }
  staff_signed_out: { address: string }
}

export interface JournalSubjects {
  partnerId?: number
  eventId?: string
  bookingId?: string
  orderId?: string
}

interface EntryRow {
  name: string
  actorKind: string
  actor: string
  requestId: string | null
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
 * The one-statement writes of the sales module insert their own entry.
 */
export async function record<Name extends keyof JournalEntries>(
  name: Name,
  change: JournalEntries[Name],
  { actor, ...subjects }: JournalSubjects & { actor: Actor },
  trx: TransactionClientContract
): Promise<void> {
  const { partnerId, eventId, bookingId, orderId } = subjects
  const row: EntryRow = {
    name,
    actorKind: actor.kind,
    actor: actor.name,
    requestId: actor.requestId,
    partnerId: partnerId ?? null,
    eventId: eventId ?? null,
    bookingId: bookingId ?? null,
    orderId: orderId ?? null,
    change: JSON.stringify(change),
  }
  await insertEntry(row, trx)
}
