import type { Balance } from '#defects/balance/balance'
import type { CaseFacts } from '#defects/facts/facts'
import type { DefectCode, Severity } from '#defects/rules/defect_codes'
import type { Party } from '#defects/facts/exposure'
import type { Thresholds } from '#defects/rules/thresholds'

export type Fault = 'PARTNER' | 'PLATFORM' | 'NETWORK' | 'UNKNOWN'

/** A defect that a rule has found in a story. */
export interface Finding {
  code: DefectCode
  subclass: string | null
  /** Whether the money bought tickets after all. */
  isRecovered: boolean
  severity: Severity
  /** Our order, or the id that the partner sent. */
  orderId: string
  paymentId: string | null
  /** The verdict by the contract's wording; `subclass` has our assessment. */
  isStrictBreach: boolean
  /** Its share of the case's exposure. A rule gives the most that it explains; `judgeCase` shares the balance out. */
  exposureTenge: bigint
  exposureParty: Party
  fault: Fault
  /** Milliseconds beyond the limit; null for defects that are no question of time. */
  deviationMs: number | null
  /** Code of the advice for the partner's developers. */
  hint: string | null
  /** What a sum that cannot be right probably is in tenge; null where that is not known. */
  probableTenge: bigint | null
  /** Ids of requests, tickets or register rows that prove it. */
  evidence: string[]
}

/** Names causes; how much is at risk is said by the balance alone. */
export type Rule = (facts: CaseFacts, thresholds: Thresholds, balance: Balance) => Finding[]

/** The most that a finding explains of a party's exposure; nobody's where nothing is at risk. */
export const atRisk = (
  tenge: bigint,
  party: Party
): Pick<Finding, 'exposureTenge' | 'exposureParty'> => ({
  exposureTenge: tenge,
  exposureParty: tenge > 0n ? party : 'NONE',
})

type FindingInput = Pick<Finding, 'code' | 'severity' | 'orderId'> & Partial<Finding>

export const finding = (about: FindingInput): Finding => ({
  subclass: null,
  isRecovered: false,
  paymentId: null,
  isStrictBreach: false,
  exposureTenge: 0n,
  exposureParty: 'NONE',
  fault: 'PARTNER',
  deviationMs: null,
  hint: null,
  probableTenge: null,
  evidence: [],
  ...about,
})
