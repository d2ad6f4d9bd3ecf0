import type { PartnerFacts } from '#back_office/partners/read_partner'
import { listRecentRefusals, listRefusedAddresses } from '#partners/recent_refusals'
import { partnerBudget } from '#partners/settings'
import { standingOf } from '#shared/rate_limit'

/** How a partner's requests stand against its limits now, and what was refused lately. */
export async function readTraffic({ id, requestsPerMinute, requestsInFlight }: PartnerFacts) {
  const [{ used, inFlight }, refusals, addresses] = await Promise.all([
    standingOf(partnerBudget(id, requestsPerMinute, requestsInFlight)),
    listRecentRefusals(id),
    listRefusedAddresses(id),
  ])
  return { requests: used, inFlight, refusals, addresses }
}
