import type { CaseFacts } from '#defects/facts/facts'
import type { Party } from '#defects/facts/register_facts'
import type { Thresholds } from '#defects/rules/thresholds'

export type Severity = 'BLOCKER' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO'
export type Fault = 'PARTNER' | 'PLATFORM' | 'NETWORK' | 'UNKNOWN'

/** What one rule found. */
export interface Finding {
  code: string
  subclass: string | null
  /** Whether the money that it tells of has bought something after all. */
  isRecovered: boolean
  severity: Severity
  /** The order that it is about, or the id as it was sent. */
  orderId: string
  paymentId: string | null
  /** The contract's own verdict, beside our assessment in `subclass`. */
  isStrictBreach: boolean
  exposureTenge: bigint
  exposureParty: Party
  fault: Fault
  /** How far from what was allowed, in milliseconds, where there is such a measure. */
  deviationMs: number | null
  /** A word for the partner on how to mend it. */
  hint: string | null
  /** Request ids that prove it. */
  evidence: string[]
}

export type Rule = (facts: CaseFacts, thresholds: Thresholds) => Finding[]

type About = Pick<Finding, 'code' | 'severity' | 'orderId'> & Partial<Finding>

export const finding = (about: About): Finding => ({
  subclass: null,
  isRecovered: false,
  paymentId: null,
  isStrictBreach: false,
  exposureTenge: 0n,
  exposureParty: 'NONE',
  fault: 'PARTNER',
  deviationMs: null,
  hint: null,
  evidence: [],
  ...about,
})
