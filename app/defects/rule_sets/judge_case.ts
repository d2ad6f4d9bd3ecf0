import { allCreditedAttempts } from '#defects/rules/charges'
import { doubledTenge, dueTwiceTenge } from '#defects/rules/duplicates'
import { distinct, type CaseFacts } from '#defects/facts/facts'
import type { DefectCode, Severity } from '#defects/rules/defect_codes'
import type { Exposure } from '#defects/facts/exposure'
import type { Fault, Finding } from '#defects/rules/finding'
import { owedTenge, registerOnlyTenge } from '#defects/rules/registers'
import { openRefunds, unreturnedTenge } from '#defects/rules/returned'
import type { RuleSet } from '#defects/rule_sets/rule_sets'
import { atLeastNothing, sum } from '#shared/tenge'

export interface JudgedCase {
  findings: Finding[]
  /** Each payment counts once, however many rules have found a defect. */
  exposure: Exposure
  severity: Severity
  fault: Fault
  /**
   * Codes in the order in which their orders were made: `CONFIRM_ORDER_EXPIRED → PAID_BEFORE_CREATED`. Without LOW findings and
   * those of `NO_EVENT`. Orders that we do not have come first, as nobody knows when they were made.
   */
  chain: string[]
}

const SEVERITIES: Severity[] = ['BLOCKER', 'HIGH', 'MEDIUM', 'LOW', 'INFO']

/** Applies all rules of a set to a story; null when none finds a defect. */
export function judgeCase(facts: CaseFacts, ruleSet: RuleSet): JudgedCase | null {
  const findings = ruleSet.rules.flatMap((rule) => rule(facts, ruleSet.thresholds))
  if (findings.length === 0) return null
  const severity = SEVERITIES.find((one) => findings.some((found) => found.severity === one))!
  return {
    findings,
    exposure: exposureOf(facts, findings),
    severity,
    fault: faultOf(findings),
    chain: chainOf(facts, findings),
  }
}

/** What buyers are owed, and what we are. */
function exposureOf(facts: CaseFacts, findings: Finding[]): Exposure {
  const withoutTicket = unreturnedTenge(allCreditedAttempts(facts), facts)
  const dueTwice = dueTwiceTenge(facts, (order) => openRefunds(order).ofEvent)
  const due = atLeastNothing(sumOf(findings, 'EVENT_CANCELLED_REFUND_DUE') - dueTwice)
  const toBuyer = withoutTicket + due + registerOnlyTenge(facts)
  const toUs = doubledTenge(facts) + usedTenge(findings) + owedTenge(facts)
  return { buyer: atLeastNothing(toBuyer), platform: toUs, partner: 0n }
}

/** The two codes exclude each other for a ticket: its guest came before the void or after it. */
const usedTenge = (findings: Finding[]) =>
  sumOf(findings, 'USED_AFTER_VOID') + sumOf(findings, 'REFUND_OF_USED')

const sumOf = (findings: Finding[], code: DefectCode) =>
  sum(findings.filter((found) => found.code === code).map(({ exposureTenge }) => exposureTenge))

/** PLATFORM as soon as one finding is our fault, then NETWORK, then PARTNER. LOW and INFO findings are nobody's fault. */
function faultOf(findings: Finding[]): Fault {
  const faults = findings
    .filter(({ severity }) => severity !== 'LOW' && severity !== 'INFO')
    .map(({ fault }) => fault)
  const order: Fault[] = ['PLATFORM', 'NETWORK', 'PARTNER', 'UNKNOWN']
  return order.find((fault) => faults.includes(fault)) ?? 'UNKNOWN'
}

/** Codes that describe a case and are no event of it. */
const NO_EVENT: DefectCode[] = ['PAYMENT_REUSED', 'SEAT_RESOLD_AFTER_EXPIRY']

function chainOf(facts: CaseFacts, findings: Finding[]) {
  const madeAt = new Map(facts.orders.map(({ id, createdAt }) => [id, createdAt]))
  const events = findings.filter(
    ({ severity, code }) => severity !== 'LOW' && !NO_EVENT.includes(code)
  )
  const ordered = events.toSorted(
    (a, b) => (madeAt.get(a.orderId) ?? 0) - (madeAt.get(b.orderId) ?? 0)
  )
  return distinct(ordered.map(({ code }) => code))
}
