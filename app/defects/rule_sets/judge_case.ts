import { allHeard } from '#defects/rules/charges'
import { doubledTenge, dueTwiceTenge } from '#defects/rules/duplicates'
import { distinct, type CaseFacts } from '#defects/facts/facts'
import type { Fault, Finding, Severity } from '#defects/rules/finding'
import type { Party } from '#defects/facts/register_facts'
import { owedTenge, unheardTenge } from '#defects/rules/registers'
import { openRefunds, unreturnedTenge } from '#defects/rules/returned'
import { FIRST_RULE_SET, type RuleSet } from '#defects/rule_sets/rule_sets'
import { atLeastNothing, sum } from '#shared/tenge'

export interface JudgedCase {
  findings: Finding[]
  /** One, however many rules have fired: each payment's money is counted once. */
  exposureTenge: bigint
  exposureParty: Party
  severity: Severity
  fault: Fault
  /** Codes in the order of their happening: `CONFIRM_ORDER_EXPIRED → PAID_BEFORE_CREATED`. */
  chain: string[]
}

const SEVERITIES: Severity[] = ['BLOCKER', 'HIGH', 'MEDIUM', 'LOW', 'INFO']

/** Runs all rules of a set over one story; null when there is nothing to say. */
export function judgeCase(facts: CaseFacts, ruleSet: RuleSet = FIRST_RULE_SET): JudgedCase | null {
  const findings = ruleSet.rules.flatMap((rule) => rule(facts, ruleSet.thresholds))
  if (findings.length === 0) return null
  const { exposureTenge, exposureParty } = exposureOf(facts, findings)
  const severity = SEVERITIES.find((one) => findings.some((found) => found.severity === one))!
  return {
    findings,
    exposureTenge,
    exposureParty,
    severity,
    fault: faultOf(findings),
    chain: chainOf(facts, findings),
  }
}

/** Money without a ticket first: it is somebody's who has neither. */
function exposureOf(facts: CaseFacts, findings: Finding[]) {
  const taken = unreturnedTenge(allHeard(facts), facts)
  const dueTwice = dueTwiceTenge(facts, (order) => openRefunds(order).ofEvent)
  const due = atLeastNothing(sumOf(findings, 'EVENT_CANCELLED_REFUND_DUE') - dueTwice)
  const toBuyer = taken + due + unheardTenge(facts)
  if (toBuyer > 0n) return { exposureTenge: toBuyer, exposureParty: 'BUYER' as const }
  const toUs = doubledTenge(facts) + usedTenge(findings) + owedTenge(facts)
  return {
    exposureTenge: toUs,
    exposureParty: toUs > 0n ? ('PLATFORM' as const) : ('NONE' as const),
  }
}

/** One ticket counts once, whether its guest came before the void or after it. */
const usedTenge = (findings: Finding[]) =>
  sumOf(findings, 'USED_AFTER_VOID') + sumOf(findings, 'REFUND_OF_USED')

const sumOf = (findings: Finding[], code: string) =>
  sum(findings.filter((found) => found.code === code).map(({ exposureTenge }) => exposureTenge))

/** Ours, if any of it was: we don't argue about the rest. */
function faultOf(findings: Finding[]): Fault {
  const faults = findings
    .filter(({ severity }) => severity !== 'LOW' && severity !== 'INFO')
    .map(({ fault }) => fault)
  const order: Fault[] = ['PLATFORM', 'NETWORK', 'PARTNER', 'UNKNOWN']
  return order.find((fault) => faults.includes(fault)) ?? 'UNKNOWN'
}

/** What joins a case or tells of it, and did not happen by itself. */
const SILENT = ['PAYMENT_REUSED', 'SEAT_RESOLD_AFTER_EXPIRY']

function chainOf(facts: CaseFacts, findings: Finding[]) {
  const began = new Map(facts.orders.map(({ id, createdAt }) => [id, createdAt]))
  const serious = findings.filter(
    ({ severity, code }) => severity !== 'LOW' && !SILENT.includes(code)
  )
  const ordered = serious.toSorted(
    (a, b) => (began.get(a.orderId) ?? 0) - (began.get(b.orderId) ?? 0)
  )
  return distinct(ordered.map(({ code }) => code))
}
