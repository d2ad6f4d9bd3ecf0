import {
  divergentReplay,
  duplicatePayment,
  multipleCharges,
  placeholderId,
} from '#settlement/defects/duplicates'
import type { Rule } from '#settlement/defects/facts'
import { lateMoney, seatResold } from '#settlement/defects/late_money'
import {
  amountMismatch,
  badBody,
  eventCancelled,
  orderCancelled,
  orderExpired,
  paymentReused,
  revokedConfirm,
  throttled,
  unknownOrder,
} from '#settlement/defects/refused_confirms'
import { againstRegister } from '#settlement/defects/registers'
import { FIRST_THRESHOLDS, type Thresholds } from '#settlement/defects/thresholds'
import {
  offsetSuspect,
  paidAfterWindow,
  paidAfterWindowEnd,
  paidBeforeCreated,
  paidInFuture,
  slowConfirm,
} from '#settlement/defects/time_of_charge'
import {
  refundAfterClose,
  refundDue,
  refundOfUsed,
  usedAfterVoid,
  zeroTotal,
} from '#settlement/defects/voids'
import { refuse } from '#shared/refusals'

/** Rules and the numbers that they judge by. What was found says by which version; none of them ever changes. */
export interface RuleSet {
  version: number
  rules: readonly Rule[]
  thresholds: Thresholds
}

const FIRST_RULES: Rule[] = [
  ...[paidBeforeCreated, paidInFuture, paidAfterWindow, offsetSuspect, slowConfirm],
  ...[orderExpired, orderCancelled, eventCancelled, amountMismatch, badBody, throttled],
  ...[unknownOrder, paymentReused, duplicatePayment, divergentReplay, multipleCharges],
  ...[placeholderId, refundDue, usedAfterVoid, refundOfUsed, refundAfterClose, zeroTotal],
  ...[revokedConfirm, paidAfterWindowEnd, lateMoney, seatResold, againstRegister],
]

export const FIRST_RULE_SET: RuleSet = {
  version: 1,
  rules: FIRST_RULES,
  thresholds: FIRST_THRESHOLDS,
}

/**
 * The newest last. A new version stands beside the one in force as a candidate, until somebody has compared them over
 * closed periods and activates it (`settlement_rule_sets`).
 */
export const RULE_SETS: readonly RuleSet[] = [
  FIRST_RULE_SET,
  // Excuses clocks that are five seconds behind, and calls slow only what was nearly too late.
  {
    version: 2,
    rules: FIRST_RULES,
    thresholds: { ...FIRST_THRESHOLDS, skewAllowanceMs: 5_000, slowShare: 0.75 },
  },
]

/** Refuses NO_SUCH. */
export const ruleSetOf = (version: number): RuleSet =>
  RULE_SETS.find((one) => one.version === version) ??
  refuse('NO_SUCH', { what: `rule set ${version}` })
