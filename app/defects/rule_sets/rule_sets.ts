import {
  divergentReplay,
  duplicatePayment,
  multipleCharges,
  placeholderId,
} from '#defects/rules/duplicates'
import type { Rule } from '#defects/rules/finding'
import { lateMoney, seatResold } from '#defects/rules/late_money'
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
} from '#defects/rules/refused_confirms'
import { againstRegister } from '#defects/rules/registers'
import { FIRST_THRESHOLDS, type Thresholds } from '#defects/rules/thresholds'
import {
  offsetSuspect,
  paidAfterWindow,
  paidAfterWindowEnd,
  paidBeforeCreated,
  paidInFuture,
  slowConfirm,
} from '#defects/rules/time_of_charge'
import {
  refundAfterClose,
  refundDue,
  refundOfUsed,
  usedAfterVoid,
  zeroTotal,
} from '#defects/rules/voids'
import { refuse } from '#shared/refusals'

/** Rules with their thresholds, under a version that never changes. Each case stores the version that it was judged by. */
export interface RuleSet {
  version: number
  rules: readonly Rule[]
  /** The codes of all defects that the rules can find. */
  codes: readonly string[]
  thresholds: Thresholds
}

const FIRST_RULES: Rule[] = [
  paidBeforeCreated,
  paidInFuture,
  paidAfterWindow,
  offsetSuspect,
  slowConfirm,
  orderExpired,
  orderCancelled,
  eventCancelled,
  amountMismatch,
  badBody,
  throttled,
  unknownOrder,
  paymentReused,
  duplicatePayment,
  divergentReplay,
  multipleCharges,
  placeholderId,
  refundDue,
  usedAfterVoid,
  refundOfUsed,
  refundAfterClose,
  zeroTotal,
  revokedConfirm,
  paidAfterWindowEnd,
  lateMoney,
  seatResold,
  againstRegister,
]

const FIRST_CODES = [
  'PAID_BEFORE_CREATED',
  'PAID_IN_FUTURE',
  'PAID_AFTER_WINDOW',
  'PAID_AT_OFFSET_SUSPECT',
  'SLOW_CONFIRM',
  'CONFIRM_ORDER_EXPIRED',
  'CONFIRM_ORDER_CANCELLED',
  'CONFIRM_EVENT_CANCELLED',
  'CONFIRM_AMOUNT_MISMATCH',
  'CONFIRM_BAD_BODY',
  'CONFIRM_THROTTLED',
  'CONFIRM_UNKNOWN_ORDER',
  'PAYMENT_REUSED',
  'DUP_EXTERNAL_PAYMENT_ID',
  'CONFIRM_REPLAY_DIVERGENT',
  'MULTI_CHARGE_ONE_ORDER',
  'EXTERNAL_ID_PLACEHOLDER',
  'EVENT_CANCELLED_REFUND_DUE',
  'USED_AFTER_VOID',
  'REFUND_OF_USED',
  'REFUND_AFTER_CLOSE',
  'ZERO_TOTAL_PAID',
  'REVOKED_CONFIRM_REJECTED',
  'PAID_AFTER_WINDOW_END',
  'LATE_MONEY_NOT_RETURNED',
  'SEAT_RESOLD_AFTER_EXPIRY',
  'MISSING_AT_PLATFORM',
  'MISSING_AT_PARTNER',
  'VOID_WITHOUT_REFUND',
  'REFUND_WITHOUT_VOID',
  'REFUND_SUM_MISMATCH',
]

export const FIRST_RULE_SET: RuleSet = {
  version: 1,
  rules: FIRST_RULES,
  codes: FIRST_CODES,
  thresholds: FIRST_THRESHOLDS,
}

/**
 * The newest last. A new version is a candidate until somebody has compared it with the one in force over closed periods and
 * activates it (`settlement_rule_sets`).
 */
export const RULE_SETS: readonly RuleSet[] = [
  FIRST_RULE_SET,
  // Tolerates clocks that are five seconds off; a confirm is slow only in the last quarter of the window.
  {
    version: 2,
    rules: FIRST_RULES,
    codes: FIRST_CODES,
    thresholds: { ...FIRST_THRESHOLDS, skewAllowanceMs: 5_000, slowShare: 0.75 },
  },
]

/** The rule set of a version; refuses NO_SUCH. */
export const ruleSetOf = (version: number): RuleSet =>
  RULE_SETS.find((one) => one.version === version) ??
  refuse('NO_SUCH', { what: `rule set ${version}` })
