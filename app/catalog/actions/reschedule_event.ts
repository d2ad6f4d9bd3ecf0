import type { EventStatus } from '#catalog/event_status'
import { closeSaleGate } from '#catalog/sale_gate'
import { CLOCK, type Actor } from '#shared/actor'
import { record, type Changed } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface Times {
  startsAt: Date
  endsAt: Date
  /** Sales open at this time; null leaves the opening to staff. */
  salesStartAt: Date | null
}

export interface RescheduleEventInput extends Times {
  eventId: string
  /** Refuses STALE unless the event still starts then; left out, it is not checked. */
  seenStart?: Date
  reason: string
  actor: Actor
}

type Locked = Times & {
  storedStatus: EventStatus
  /** What the clock makes of `storedStatus`. */
  status: EventStatus
  isOver: boolean
}

const lockEvent = statement<object, { eventId: string }>(
  'event_lock_to_move',
  'SELECT 1 FROM events WHERE id = :eventId FOR NO KEY UPDATE'
)
// A statement of its own after the lock: one that waits for the lock has read the clock before it waited.
const readTimes = statement<Locked, { eventId: string }>(
  'event_read_times',
  `SELECT starts_at AS "startsAt", ends_at AS "endsAt", sales_start_at AS "salesStartAt", stored_status AS "storedStatus",
          event_status(stored_status, sales_start_at, starts_at, clock_timestamp()) AS status,
          stored_status = 'cancelled' OR ends_at <= clock_timestamp() AS "isOver"
     FROM events WHERE id = :eventId`
)
const storeTimes = statement<
  object,
  { eventId: string; startsAt: Date; endsAt: Date; salesStartAt: Date | null; status: string }
>(
  'event_store_times',
  `UPDATE events SET starts_at = :startsAt, ends_at = :endsAt, sales_start_at = :salesStartAt, stored_status = :status,
          updated_at = clock_timestamp()
    WHERE id = :eventId`
)

/**
 * Moves an event in time; its tickets stay valid. Sales that closed at the old start stay closed until staff reopen them.
 */
export default class RescheduleEvent {
  async handle({ eventId, seenStart, reason, actor, ...times }: RescheduleEventInput) {
    await transaction(async (trx) => {
      await closeSaleGate(eventId, trx)
      await lockEvent({ eventId }, trx)
      const was = await readTimes.first({ eventId }, trx)
      if (!was) refuse('EVENT_NOT_FOUND')
      if (was.isOver) refuse('EVENT_IS_OVER')
      if (seenStart && isDifferent(seenStart, was.startsAt)) refuse('STALE')
      const { startsAt, endsAt, salesStartAt } = times
      const changed = changesOf(was, { startsAt, endsAt, salesStartAt })
      assertPossible(times, changed)

      await recordClockChange(eventId, was, actor, trx)
      await storeTimes({ eventId, startsAt, endsAt, salesStartAt, status: was.status }, trx)
      const about = { actor, eventId }
      if (!changed.startsAt) return record('event_edited', { changed, reason }, about, trx)
      const [from, to] = [was.startsAt.toISOString(), startsAt.toISOString()]
      await record('event_rescheduled', { from, to, changed, reason }, about, trx)
    })
  }
}

/** Records a status change by the clock that no job has stored yet: a later start must not undo it. */
async function recordClockChange(
  eventId: string,
  { storedStatus: from, status: to }: Locked,
  { requestId }: Actor,
  trx: TransactionClientContract
) {
  if (from === to) return
  const about = { actor: { ...CLOCK, requestId }, eventId }
  await record('event_status_changed', { from, to, reason: null }, about, trx)
}

const isDifferent = (one: Date | null, other: Date | null) => one?.getTime() !== other?.getTime()

function changesOf(was: Times, is: Times): Changed {
  const fields = (['startsAt', 'endsAt', 'salesStartAt'] as const).filter((field) =>
    isDifferent(was[field], is[field])
  )
  return Object.fromEntries(
    fields.map((field) => [
      field,
      { from: was[field]?.toISOString() ?? null, to: is[field]?.toISOString() ?? null },
    ])
  )
}

/** Refuses impossible times; an unchanged end or start of sales may be in the past. */
function assertPossible({ startsAt, endsAt, salesStartAt }: Times, changed: Changed) {
  const now = new Date()
  if (Object.keys(changed).length === 0)
    refuseField('startsAt', 'other', 'The times are what they were')
  if (changed.startsAt && startsAt <= now)
    refuseField('startsAt', 'future', 'The event must start in the future')
  if (endsAt <= startsAt) refuseField('endsAt', 'after', 'The event must end after it starts')
  if (endsAt <= now) refuseField('endsAt', 'future', 'The event must end in the future')
  if (!salesStartAt) return
  if (salesStartAt >= startsAt)
    refuseField('salesStartAt', 'before', 'Sales must open before the event starts')
  if (changed.salesStartAt && salesStartAt <= now)
    refuseField('salesStartAt', 'future', 'Sales must open in the future')
}
