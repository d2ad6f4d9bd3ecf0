import { EVENT_TRANSITIONS, type EventStatus, type EventTrigger } from '#catalog/event_status'
import { closeSaleGate } from '#catalog/sale_gate'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface ChangeEventStatusInput {
  eventId: string
  trigger: Exclude<EventTrigger, 'cancel'>
  /** Refuses STALE unless the status is still this one; left out, it is not checked. */
  seen?: EventStatus
  reason: string | null
  actor: Actor
}

const lockEvent = statement<object, { eventId: string }>(
  'event_lock',
  'SELECT 1 FROM events WHERE id = :eventId FOR NO KEY UPDATE'
)
// After the lock: a statement that waits for it has read the clock before it waited.
const readStatus = statement<{ status: EventStatus; has_started: boolean }, { eventId: string }>(
  'event_read_status',
  `SELECT event_status(stored_status, sales_start_at, starts_at, clock_timestamp()) AS status,
          starts_at <= clock_timestamp() AS has_started
     FROM events WHERE id = :eventId`
)
const storeStatus = statement<object, { eventId: string; to: string }>(
  'event_store_status',
  'UPDATE events SET stored_status = :to, updated_at = clock_timestamp() WHERE id = :eventId'
)

/** Locks and returns the event's status; no sale of the event goes on until the transaction ends. */
export async function lockEventStatus(eventId: string, trx: TransactionClientContract) {
  await closeSaleGate(eventId, trx)
  await lockEvent({ eventId }, trx)
  const event = await readStatus.first({ eventId }, trx)
  if (!event) refuse('EVENT_NOT_FOUND')
  return event
}

/** Opens, pauses or closes sales by `EVENT_TRANSITIONS`; cancelling also voids tickets, so it is an action of its own. */
export default class ChangeEventStatus {
  async handle({ eventId, trigger, seen, reason, actor }: ChangeEventStatusInput) {
    return transaction(async (trx): Promise<EventStatus> => {
      const { status: from, has_started: hasStarted } = await lockEventStatus(eventId, trx)
      if (seen && seen !== from) refuse('STALE')
      const to = EVENT_TRANSITIONS[from][trigger]
      if (!to || hasStarted) refuse('STATUS_NOT_REACHABLE', { from, to: to ?? trigger })
      await storeStatus({ eventId, to }, trx)
      await record('event_status_changed', { from, to, reason }, { actor, eventId }, trx)
      return to
    })
  }
}
