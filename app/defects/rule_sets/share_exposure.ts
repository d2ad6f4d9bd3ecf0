import type { Exposure } from '#defects/balance/balance'
import { DEFECT_CODES, type DefectCode } from '#defects/rules/defect_codes'
import { atRisk, finding, type Finding } from '#defects/rules/finding'
import type { Party } from '#defects/facts/register_facts'
import { lesser } from '#shared/tenge'

/** The first code takes what it explains, then the next: first what is of one payment among several, then the order of the list. */
const FIRST: DefectCode[] = [
  'CONFIRM_AMOUNT_MISMATCH',
  'CONFIRM_REPLAY_DIVERGENT',
  'MULTI_CHARGE_ONE_ORDER',
]
const PRECEDENCE = [...new Set([...FIRST, ...(Object.keys(DEFECT_CODES) as DefectCode[])])]

const NAMES = { buyer: 'BUYER', platform: 'PLATFORM', partner: 'PARTNER' } as const
/** What a sum is called that no rule explains: money is never left without a name. */
const UNEXPLAINED = {
  buyer: 'MISSING_AT_PLATFORM',
  platform: 'MISSING_AT_PARTNER',
  partner: 'REFUND_SUM_MISMATCH',
} as const

/**
 * Shares the balance out among the findings that explain it, so that the shares of each party add up to its exposure.
 *
 * Example: buyer 12,000; CONFIRM_ORDER_EXPIRED explains 12,000, LATE_MONEY_NOT_RETURNED 12,000
 *     CONFIRM_ORDER_EXPIRED 12,000, LATE_MONEY_NOT_RETURNED 0
 */
export function shareExposure(found: Finding[], exposure: Exposure, orderId: string): Finding[] {
  const left = { ...exposure }
  const shares = new Map<Finding, bigint>()
  for (const one of found.toSorted(byPrecedence)) {
    const party = partyOf(one.exposureParty)
    if (!party) continue
    const share = lesser(one.exposureTenge, left[party])
    left[party] -= share
    shares.set(one, share)
  }
  const shared = found.map((one) => ({
    ...one,
    ...atRisk(shares.get(one) ?? 0n, one.exposureParty),
  }))
  for (const party of ['buyer', 'platform', 'partner'] as const)
    if (left[party] > 0n) giveRest(shared, party, left[party], orderId)
  return shared
}

/** What is left goes to the first finding about that party. */
function giveRest(shared: Finding[], party: keyof Exposure, tenge: bigint, orderId: string) {
  const first = shared.toSorted(byPrecedence).find((one) => one.exposureParty === NAMES[party])
  if (first) first.exposureTenge += tenge
  else
    shared.push(
      finding({
        code: UNEXPLAINED[party],
        severity: 'HIGH',
        orderId,
        ...atRisk(tenge, NAMES[party]),
      })
    )
}

const partyOf = (party: Party) =>
  party === 'NONE' ? null : (party.toLowerCase() as keyof Exposure)

const byPrecedence = (one: Finding, other: Finding) =>
  PRECEDENCE.indexOf(one.code) - PRECEDENCE.indexOf(other.code)
