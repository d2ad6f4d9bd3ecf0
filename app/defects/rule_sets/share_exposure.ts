import { EXPOSED_PARTIES, type ExposedParty, type Exposure } from '#defects/facts/exposure'
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
/**
 * What a sum is called that no rule explains: money is never left without a name. The first code that is not about another party's
 * money of the order. An order that all registers lack has its own finding, so what is left of the platform's is what they show less.
 */
const CODES_OF_UNEXPLAINED: Record<ExposedParty, DefectCode[]> = {
  buyer: ['LATE_MONEY_NOT_RETURNED'],
  platform: ['REGISTER_AMOUNT_DIFFERS', 'MISSING_AT_PARTNER'],
  partner: ['REFUND_SUM_MISMATCH'],
}

/**
 * Shares the balance out among the findings about a party, so that their shares add up to its exposure. Where they explain less, the
 * first one takes the rest. A finding of the registers that has no share is left out: there is no difference.
 *
 * Example: buyer 12,000; CONFIRM_ORDER_EXPIRED explains 12,000, LATE_MONEY_NOT_RETURNED 12,000
 *     CONFIRM_ORDER_EXPIRED 12,000, LATE_MONEY_NOT_RETURNED 0
 */
export function shareExposure(found: Finding[], exposure: Exposure, orderId: string): Finding[] {
  const kept = mergeByCodeAndOrder(
    withShares(found, exposure).filter((one) => !isNoDifference(one))
  )
  for (const party of EXPOSED_PARTIES) {
    const own = kept.filter(isAbout(party))
    const left = exposure[party] - sum(own.map(({ exposureTenge }) => exposureTenge))
    if (left === 0n) continue
    const first =
      own.toSorted(byPrecedence)[0] ??
      findOrAddUnexplained(CODES_OF_UNEXPLAINED[party], orderId, kept)
    Object.assign(first, atRisk(first.exposureTenge + left, NAMES[party]))
  }
  return kept
}

/** Each takes what it explains, by precedence, as long as anything of its party's exposure is left. */
function withShares(found: Finding[], { buyer, platform, partner }: Exposure): Finding[] {
  const left = { BUYER: buyer, PLATFORM: platform, PARTNER: partner, NONE: 0n }
  const shares = new Map<Finding, bigint>()
  for (const one of found.toSorted(byPrecedence)) {
    const share = min(one.exposureTenge, left[one.exposureParty])
    left[one.exposureParty] -= share
    shares.set(one, share)
  }
  return found.map((one) => ({ ...one, ...atRisk(shares.get(one)!, one.exposureParty) }))
}

const isAbout = (party: ExposedParty) => (one: Finding) => one.exposureParty === NAMES[party]

const isNoDifference = ({ code, exposureTenge }: Finding) =>
  exposureTenge === 0n && DEFECT_CODES[code].section === 'registers'

/**
 * Findings of one code on one order are one defect, with the evidence of all. A defect is about one party: the one with most at risk. What
 * others of these findings had of another party is left for that party's next one.
 */
function mergeByCodeAndOrder(found: Finding[]): Finding[] {
  const kinds = Map.groupBy(found, ({ code, orderId }) => `${code} ${orderId}`)
  return [...kinds.values()].map((each) => {
    const byParty = Map.groupBy(each, ({ exposureParty }) => exposureParty)
    const sums = [...byParty].map(([party, own]) => {
      return atRisk(sum(own.map(({ exposureTenge }) => exposureTenge)), party)
    })
    const most = sums.reduce((one, other) =>
      other.exposureTenge > one.exposureTenge ? other : one
    )
    const evidence = distinct(each.flatMap((one) => one.evidence))
    return { ...each.at(-1)!, ...most, evidence }
  })
}

/** The defect that stands for what no rule explains; one of its code and order may be there without money. */
function findOrAddUnexplained(codes: DefectCode[], orderId: string, kept: Finding[]): Finding {
  const ofOrder = kept.filter((one) => one.orderId === orderId)
  const hasMoney = (code: DefectCode) =>
    ofOrder.some((one) => one.code === code && one.exposureTenge > 0n)
  const code = codes.find((one) => !hasMoney(one))!
  const known = ofOrder.find((one) => one.code === code)
  if (known) return known
  const added = finding({ code, severity: 'HIGH', orderId })
  kept.push(added)
  return added
}

const byPrecedence = (one: Finding, other: Finding) =>
  PRECEDENCE.indexOf(one.code) - PRECEDENCE.indexOf(other.code)
