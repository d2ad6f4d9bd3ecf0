import { closePartnerGate } from '#catalog/sale_gate'
import { lockPartner } from '#partners/queries/find_partner'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface ChangeGrantInput {
  partnerCode: string
  eventId: string
  access: 'active' | 'revoked'
  reason: string | null
  actor: Actor
}

const upsertGrant = statement<object, { partnerId: number; eventId: string; access: string }>(
  'grant_upsert',
  `INSERT INTO event_grants (partner_id, event_id, access)
   SELECT :partnerId, id, :access FROM events WHERE id = :eventId
   ON CONFLICT (partner_id, event_id) DO UPDATE SET access = :access, updated_at = clock_timestamp()
     WHERE event_grants.access <> :access
   RETURNING 1`
)
const findEvent = statement<{ is_granted: boolean }, { partnerId: number; eventId: string }>(
  'grant_event',
  `SELECT EXISTS (SELECT 1 FROM event_grants WHERE partner_id = :partnerId AND event_id = :eventId) AS is_granted
     FROM events WHERE id = :eventId`
)

/** Gives or revokes a partner's grant on an event; the row stays, because the feed returns revoked events too. */
export default class ChangeGrant {
  async handle({ partnerCode, eventId, access, reason, actor }: ChangeGrantInput) {
    await transaction(async (trx) => {
      const { id: partnerId } = await lockPartner(partnerCode, trx)
      // A new grant can't affect a sale that is in progress.
      if (access === 'revoked') await closePartnerGate(partnerId, trx)
      const event = await findEvent.first({ partnerId, eventId }, trx)
      if (!event) refuse('EVENT_NOT_FOUND')
      if (access === 'revoked' && !event.is_granted) refuse('NO_SUCH', { what: 'grant to revoke' })
      const changed = await upsertGrant({ partnerId, eventId, access }, trx)
      if (changed.length === 0) return
      const about = { actor, partnerId, eventId }
      await record(access === 'active' ? 'grant_given' : 'grant_revoked', { reason }, about, trx)
    })
  }
}
