import { closePartnerGate } from '#catalog/sale_gate'
import { lockPartner } from '#partners/queries/find_partner'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface ChangeGrantsInput {
  grants: { partnerCode: string; eventId: string }[]
  access: 'active' | 'revoked'
  reason: string | null
  actor: Actor
}

const findEvents = statement<{ id: string }, { events: string[] }>(
  'grants_events',
  'SELECT id FROM events WHERE id = ANY(:events)'
)
// Locks rows in one order, so that two changes never deadlock; a grant that never was can't be revoked.
const storeGrants = statement<
  { partner_id: number; event_id: string },
  { partnerIds: unknown; eventIds: string[]; access: string }
>(
  'grants_store',
  `INSERT INTO event_grants (partner_id, event_id, access)
   SELECT DISTINCT asked.partner_id, asked.event_id, :access::text
     FROM unnest(:partnerIds::int[], :eventIds::text[]) asked (partner_id, event_id)
     LEFT JOIN event_grants g ON g.partner_id = asked.partner_id AND g.event_id = asked.event_id
    WHERE :access::text = 'active' OR g.partner_id IS NOT NULL
    ORDER BY 1, 2
   ON CONFLICT (partner_id, event_id) DO UPDATE SET access = :access, updated_at = clock_timestamp()
     WHERE event_grants.access <> :access
   RETURNING partner_id, event_id`
)

/** Gives or revokes many grants, all or none; returns how many changed. */
export default class ChangeGrants {
  async handle({ grants, access, reason, actor }: ChangeGrantsInput): Promise<{ changed: number }> {
    return transaction(async (trx) => {
      const events = [...new Set(grants.map(({ eventId }) => eventId))]
      const known = await findEvents({ events }, trx)
      if (known.length < events.length) refuse('EVENT_NOT_FOUND')
      const ids = new Map<string, number>()
      for (const code of [...new Set(grants.map(({ partnerCode }) => partnerCode))].toSorted()) {
        const { id } = await lockPartner(code, trx)
        // A new grant can't affect a sale that is in progress.
        if (access === 'revoked') await closePartnerGate(id, trx)
        ids.set(code, id)
      }
      const partnerIds = grants.map(({ partnerCode }) => ids.get(partnerCode))
      const eventIds = grants.map(({ eventId }) => eventId)
      const changed = await storeGrants({ partnerIds, eventIds, access }, trx)
      const name = access === 'active' ? 'grant_given' : 'grant_revoked'
      for (const { partner_id: partnerId, event_id: eventId } of changed)
        await record(name, { reason }, { actor, partnerId, eventId }, trx)
      return { changed: changed.length }
    })
  }
}
