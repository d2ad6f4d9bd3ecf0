import type { PartnerKeyRow } from '#partners/queries/find_partner_key'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const RETRY_AFTER_SECONDS = 60

/** Events are read on: they sell nothing, and the cursor shows until when we served the partner before the restore. */
const STILL_ANSWERED = ['partner_api.list_events', 'partner_api.get_event']

/**
 * While a restore is not finished, orders of the gap are unknown here. To answer "no such order" would have a partner return the
 * money for a ticket that its buyer holds, so the partner is asked to repeat later (ADR 30).
 */
export function assertNotRestored({ route }: HttpContext, key: PartnerKeyRow) {
  if (!key.is_restore_open || STILL_ANSWERED.includes(route?.name ?? '')) return
  refuse('SERVICE_BUSY', { retry_after: RETRY_AFTER_SECONDS })
}
