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

/** The second person cancels the event; never who asked or may be the same person, and only one of two who approve at once. */
export class ApproveCancellation {
  async handle({ requestId, actor }: Decision) {
    const { link, cancelled } = await transaction(async (trx) => {
      const request = await lockInTurn(requestId, trx)
      const { event_id: eventId, asked_by: askedBy, reason } = request
      const linked = await checkSecondPerson({ askedBy, actor, eventId }, trx)
      if (linked) return { link: linked, cancelled: null }
      await endRequest({ requestId, outcome: 'approved', actor: actor.name }, trx)
      const told = { asked_by: askedBy }
      await record('event_cancellation_approved', told, { actor, eventId }, trx)
      return {
        link: null,
        cancelled: await cancelWithin({ eventId, reason, actor, askedBy }, trx),
      }
    })
    return cancelled ?? refuseLinked(link)
  }
}

/** The event stays; who asked may take the request back in the same way. */
export class DeclineCancellation {
  async handle({ requestId, reason, actor }: Decision & { reason: string }) {
    await transaction(async (trx) => {
      const { event_id: eventId, asked_by: askedBy } = await lockInTurn(requestId, trx)
      await endRequest({ requestId, outcome: 'declined', actor: actor.name }, trx)
      const told = { asked_by: askedBy, reason }
      await record('event_cancellation_declined', told, { actor, eventId }, trx)
    })
  }
}

/** The gate of the event before the request, in the order of every change of an event. */
async function lockInTurn(requestId: number, trx: TransactionClientContract) {
  const found = await findRequestEvent.first({ requestId }, trx)
  if (!found) refuse('NO_SUCH', { what: `request ${requestId}` })
  await closeSaleGate(found.event_id, trx)
  return (await lockOpenRequest.first({ requestId }, trx)) ?? refuse('REQUEST_NOT_OPEN')
}
