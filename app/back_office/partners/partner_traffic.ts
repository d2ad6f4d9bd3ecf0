import type { PartnerFacts, PartnerTraffic } from '#back_office/partners/partners_props'
import { listRecentRefusals, listRefusedAddresses } from '#partners/recent_refusals'
import { partnerBudget } from '#partners/settings'
import { standingOf } from '#shared/rate_limit'

/** A partner's current use of its limits, and its recent refusals. */
export async function readTraffic({
  id,
  requestsPerMinute,
  requestsInFlight,
}: PartnerFacts): Promise<PartnerTraffic> {
  const [{ used, inFlight }, refusals, addresses] = await Promise.all([
    standingOf(partnerBudget(id, requestsPerMinute, requestsInFlight)),
    listRecentRefusals(id),
    listRefusedAddresses(id),
  ])
  return { requests: used, inFlight, refusals, addresses }
}
