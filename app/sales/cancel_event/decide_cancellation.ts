import { cancelWithin } from '#sales/cancel_event/cancel_event'
import {
  endRequest,
  findRequestEvent,
  lockOpenRequest,
} from '#sales/cancel_event/cancellation_requests_sql'
import { closeSaleGate } from '#catalog/sale_gate'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { checkSecondPerson, refuseLinked } from '#staff/second_person'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

interface Decision {
  requestId: number
  actor: Actor
}

/**
 * A second person cancels the event: not the one who asked, nor an account that may be the same person's.
 * Of two who approve at once only one succeeds.
 */
export class ApproveCancellation {
  async handle({ requestId, actor }: Decision) {
    const { link, cancelled } = await transaction(async (trx) => {
      const request = await lockEventAndRequest(requestId, trx)
      const { event_id: eventId, asked_by: askedBy, reason } = request
      const linked = await checkSecondPerson({ askedBy, actor, eventId }, trx)
      if (linked) return { link: linked, cancelled: null }
      await endRequest({ requestId, outcome: 'approved', actor: actor.name }, trx)
      await record('event_cancellation_approved', { asked_by: askedBy }, { actor, eventId }, trx)
      return {
        link: null,
        cancelled: await cancelWithin({ eventId, reason, actor, askedBy }, trx),
      }
    })
    return cancelled ?? refuseLinked(link)
  }
}

/** The event stays. The one who asked may withdraw the request in the same way. */
export class DeclineCancellation {
  async handle({ requestId, reason, actor }: Decision & { reason: string }) {
    await transaction(async (trx) => {
      const { event_id: eventId, asked_by: askedBy } = await lockEventAndRequest(requestId, trx)
      await endRequest({ requestId, outcome: 'declined', actor: actor.name }, trx)
      const details = { asked_by: askedBy, reason }
      await record('event_cancellation_declined', details, { actor, eventId }, trx)
    })
  }
}

/** Locks the event's gate before the request: every change of an event locks in this order. */
async function lockEventAndRequest(requestId: number, trx: TransactionClientContract) {
  const found = await findRequestEvent.first({ requestId }, trx)
  if (!found) refuse('NO_SUCH', { what: `request ${requestId}` })
  await closeSaleGate(found.event_id, trx)
  return (await lockOpenRequest.first({ requestId }, trx)) ?? refuse('REQUEST_NOT_OPEN')
}
