import {
  divergentReplay,
  doubledTenge,
  duplicatePayment,
  multipleCharges,
  placeholderId,
} from '#settlement/defects/duplicates'
import {
  distinct,
  type CaseFacts,
  type Fault,
  type Finding,
  type Party,
  type Rule,
  type Severity,
} from '#settlement/defects/facts'
import {
  amountMismatch,
  badBody,
  eventCancelled,
  orderCancelled,
  orderExpired,
  paymentReused,
  throttled,
  unansweredTenge,
  unknownOrder,
} from '#settlement/defects/refused_confirms'
import {
  offsetSuspect,
  paidAfterWindow,
  paidBeforeCreated,
  paidInFuture,
  slowConfirm,
} from '#settlement/defects/time_of_charge'
import {
  againstRegister,
  owedTenge,
  refundSeenTenge,
  unheardTenge,
} from '#settlement/defects/registers'
import { refundDue, usedAfterVoid, zeroTotal } from '#settlement/defects/voids'

/** Grows with every change of a rule: what was found says by which rules. */
export const RULE_SET_VERSION = 1

const RULES: Rule[] = [
  ...[paidBeforeCreated, paidInFuture, paidAfterWindow, offsetSuspect, slowConfirm],
  ...[orderExpired, orderCancelled, eventCancelled, amountMismatch, badBody, throttled],
  ...[unknownOrder, paymentReused, duplicatePayment, divergentReplay, multipleCharges],
  ...[placeholderId, refundDue, usedAfterVoid, zeroTotal, againstRegister],
]

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

/** Runs all rules over one story; null when there is nothing to say. */
export function judgeCase(facts: CaseFacts): JudgedCase | null {
  const findings = RULES.flatMap((rule) => rule(facts))
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
  const attempts = [...facts.orders.flatMap((order) => order.attempts), ...facts.strays]
  const taken = atLeastNothing(unansweredTenge(attempts, facts) - refundSeenTenge(facts))
  const due = sumOf(findings, 'EVENT_CANCELLED_REFUND_DUE')
  const toBuyer = taken + due + unheardTenge(facts)
  if (toBuyer > 0n) return { exposureTenge: toBuyer, exposureParty: 'BUYER' as const }
  const toUs = doubledTenge(facts) + sumOf(findings, 'USED_AFTER_VOID') + owedTenge(facts)
  return {
    exposureTenge: toUs,
    exposureParty: toUs > 0n ? ('PLATFORM' as const) : ('NONE' as const),
  }
}

const sumOf = (findings: Finding[], code: string) =>
  findings
    .filter((found) => found.code === code)
    .reduce((sum, { exposureTenge }) => sum + exposureTenge, 0n)

const atLeastNothing = (tenge: bigint) => (tenge > 0n ? tenge : 0n)

/** Ours, if any of it was: we don't argue about the rest. */
function faultOf(findings: Finding[]): Fault {
  const faults = findings
    .filter(({ severity }) => severity === 'HIGH' || severity === 'MEDIUM')
    .map(({ fault }) => fault)
  const order: Fault[] = ['PLATFORM', 'NETWORK', 'PARTNER', 'UNKNOWN']
  return order.find((fault) => faults.includes(fault)) ?? 'UNKNOWN'
}

function chainOf(facts: CaseFacts, findings: Finding[]) {
  const began = new Map(facts.orders.map(({ id, createdAt }) => [id, createdAt]))
  const serious = findings.filter(
    ({ severity, code }) => severity !== 'LOW' && code !== 'PAYMENT_REUSED'
  )
  const ordered = serious.toSorted(
    (a, b) => (began.get(a.orderId) ?? 0) - (began.get(b.orderId) ?? 0)
  )
  return distinct(ordered.map(({ code }) => code))
}
