import type { CancellationRequest } from '#back_office/events/events_props'
import { statement } from '#shared/statement'

const selectOpen = statement<CancellationRequest, { eventId: string }>(
  'back_office_open_cancellation',
  `SELECT id, reason, asked_by AS "askedBy", asked_at AS "askedAt", lapses_at AS "lapsesAt" FROM cancellation_requests
    WHERE event_id = :eventId AND outcome IS NULL AND lapses_at > now()`
)

/** A request to cancel the event that waits for a second person. */
export const findOpenRequest = async (eventId: string) =>
  (await selectOpen.first({ eventId })) ?? null
