import { lockEventStatus } from '#catalog/actions/change_event_status'
import { EVENT_TRANSITIONS } from '#catalog/event_status'
import type { CancelEventInput } from '#sales/cancel_event/cancel_event'
import { insertRequest, lapseRequests } from '#sales/cancel_event/cancellation_requests_sql'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const findOpen = statement<{ id: number }, { eventId: string }>(
  'cancellation_request_open',
  'SELECT id FROM cancellation_requests WHERE event_id = :eventId AND outcome IS NULL'
)

/** Requests that a second person cancels an event. Nothing happens to it until they approve, within 24 hours. */
export default class RequestCancellation {
  async handle({ eventId, reason, actor }: CancelEventInput) {
    await transaction(async (trx) => {
      const { status } = await lockEventStatus(eventId, trx)
      if (!EVENT_TRANSITIONS[status].cancel) {
        refuse('STATUS_NOT_REACHABLE', { from: status, to: 'cancelled' })
      }
      await lapseRequests({ eventId }, trx)
      if (await findOpen.first({ eventId }, trx)) {
        refuse('ALREADY_EXISTS', { what: 'a request to cancel the event' })
      }
      const request = await insertRequest.one({ eventId, reason, actor: actor.name }, trx)
      const details = { reason, lapses_at: request.lapses_at.toISOString() }
      await record('event_cancellation_asked', details, { actor, eventId }, trx)
    })
  }
}
