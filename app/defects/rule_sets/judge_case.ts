import { balanceOf } from '#defects/balance/balance'
import { explainBalance, type ExplainedBalance } from '#defects/balance/explained'
import type { Exposure } from '#defects/facts/exposure'
import { constantIdBounds } from '#defects/balance/constant_id_bounds'
import { componentOf } from '#defects/balance/component_of'
import { distinct, type CaseFacts } from '#defects/facts/facts'
import type { DefectCode, Severity } from '#defects/rules/defect_codes'
import type { Fault, Finding } from '#defects/rules/finding'
import { shareExposure } from '#defects/rule_sets/share_exposure'
import type { RuleSet } from '#defects/rule_sets/rule_sets'

export interface JudgedCase {
  findings: Finding[]
  /** By the balance; the findings' shares add up to it. */
  exposure: Exposure
  /** How the exposure comes about. */
  explained: ExplainedBalance
  severity: Severity
  fault: Fault
  /**
   * Codes in the order in which their orders were made: `CONFIRM_ORDER_EXPIRED → PAID_BEFORE_CREATED`. Without LOW findings and
   * those of `NO_EVENT`. Orders that we do not have come first, as nobody knows when they were made.
   */
  chain: string[]
}

const SEVERITIES: Severity[] = ['BLOCKER', 'HIGH', 'MEDIUM', 'LOW', 'INFO']

/** Applies all rules of a set to a story; null when none finds a defect and no money is at risk, which would have one of its own. */
export function judgeCase(facts: CaseFacts, ruleSet: RuleSet): JudgedCase | null {
  const component = componentOf(facts)
  const balance = balanceOf(component)
  const found = ruleSet.rules.flatMap((rule) => rule(facts, ruleSet.thresholds, balance))
  const findings = shareExposure(found, balance.exposure, firstOrderOf(facts))
  if (findings.length === 0) return null
  const severity = SEVERITIES.find((level) => findings.some((one) => one.severity === level))!
  return {
    findings,
    exposure: balance.exposure,
    explained: {
      ...explainBalance(component, balance),
      constantIds: constantIdBounds(facts, balance),
    },
    severity,
    fault: faultOf(findings),
    chain: chainOf(facts, findings),
  }
}

const firstOrderOf = ({ orders, confirmsOfUnknownOrders, registerRows }: CaseFacts) =>
  orders[0]?.id ??
  confirmsOfUnknownOrders[0]?.orderIdSent ??
  registerRows.flatMap(({ orderIds }) => orderIds)[0]

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
