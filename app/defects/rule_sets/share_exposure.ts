import type { Exposure } from '#defects/facts/exposure'
import { distinct } from '#defects/facts/facts'
import { DEFECT_CODES, type DefectCode } from '#defects/rules/defect_codes'
import { atRisk, finding, type Finding } from '#defects/rules/finding'
import { min, sum } from '#shared/tenge'

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
  buyer: 'LATE_MONEY_NOT_RETURNED',
  platform: 'MISSING_AT_PARTNER',
  partner: 'REFUND_SUM_MISMATCH',
} as const

/**
 * Shares the balance out among the findings about a party, so that their shares add up to its exposure. What is beyond all that
 * they explain is the first one's. A difference to a register that has no share is none.
 *
 * Example: buyer 12,000; CONFIRM_ORDER_EXPIRED explains 12,000, LATE_MONEY_NOT_RETURNED 12,000
 *     CONFIRM_ORDER_EXPIRED 12,000, LATE_MONEY_NOT_RETURNED 0
 */
export function shareExposure(all: Finding[], exposure: Exposure, orderId: string): Finding[] {
  const found = oneOfEach(all)
  const shares = new Map<Finding, bigint>()
  const unexplained: Finding[] = []
  for (const party of ['buyer', 'platform', 'partner'] as const) {
    const name = NAMES[party]
    const causes = found.filter((one) => one.exposureParty === name).toSorted(byPrecedence)
    let left = exposure[party]
    for (const cause of causes) {
      const share = min(cause.exposureTenge, left)
      shares.set(cause, share)
      left -= share
    }
    if (left === 0n) continue
    if (causes.length > 0) shares.set(causes[0], shares.get(causes[0])! + left)
    else
      unexplained.push(
        finding({ code: UNEXPLAINED[party], severity: 'HIGH', orderId, ...atRisk(left, name) })
      )
  }
  const shared = found.map((one) => ({
    ...one,
    ...atRisk(shares.get(one) ?? 0n, one.exposureParty),
  }))
  const isNoDifference = ({ code, exposureTenge }: Finding) =>
    exposureTenge === 0n && DEFECT_CODES[code].section === 'registers'
  return oneOfEach([...shared.filter((one) => !isNoDifference(one)), ...unexplained])
}

/** Findings of one code on one order are one defect; what they explain of one party's money adds up. */
function oneOfEach(found: Finding[]): Finding[] {
  const kinds = Map.groupBy(found, ({ code, orderId }) => `${code} ${orderId}`)
  return [...kinds.values()].map((each) => {
    const party = each.findLast(({ exposureTenge }) => exposureTenge > 0n)?.exposureParty ?? 'NONE'
    const ofParty = each.filter(({ exposureParty }) => exposureParty === party)
    const tenge = sum(ofParty.map(({ exposureTenge }) => exposureTenge))
    const evidence = distinct(each.flatMap((one) => one.evidence))
    return { ...each.at(-1)!, ...atRisk(tenge, party), evidence }
  })
}

const byPrecedence = (one: Finding, other: Finding) =>
  PRECEDENCE.indexOf(one.code) - PRECEDENCE.indexOf(other.code)
