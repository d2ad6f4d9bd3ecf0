import { EVENT_COLUMNS, EVENT_PLACE, type GrantedEventRow } from '#partners/granted_event'
import { FreshRead } from '#shared/fresh_read'
import { isId } from '#shared/public_id'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

const selectEvent = statement<GrantedEventRow, { partnerId: number; eventId: string }>(
  'granted_event',
  `SELECT ${EVENT_COLUMNS}
     FROM events e ${EVENT_PLACE}
     LEFT JOIN event_grants g ON g.event_id = e.id AND g.partner_id = :partnerId
    WHERE e.id = :eventId`
)

const reads = new FreshRead<GrantedEventRow | undefined>()

/** The event if the partner may see it; refuses EVENT_NOT_FOUND, then ACCESS_DENIED (contract, GET /events/{event_id}). */
export async function findGrantedEvent(partnerId: number, eventId: string) {
  if (!isId('evt', eventId)) refuse('EVENT_NOT_FOUND')
  const load = () => selectEvent.first({ partnerId, eventId })
  const event = await reads.read(`${partnerId}:${eventId}`, load)
  if (!event) refuse('EVENT_NOT_FOUND')
  if (event.access !== 'active') refuse('ACCESS_DENIED')
  return event
}
