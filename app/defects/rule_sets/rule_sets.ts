import { DEFECT_CODES, type DefectCode } from '#defects/rules/defect_codes'
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
import {
  chargedLess,
  missingAtPartner,
  returnedWithoutVoid,
  chargesBeyondOrders,
  voidWithoutRefund,
} from '#defects/rules/registers'
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
  usedTicketOfCancelledEvent,
  zeroTotal,
} from '#defects/rules/voids'
import { refuse } from '#shared/refusals'

/**
 * Rules with their thresholds under a version. Each case stores the version that it was judged by.
 *
 * A version freezes which rules are applied and every number in its thresholds: others need a new version. It does not freeze
 * code. A mistake mended in a rule, in the facts, in what makes a story (`read_stories.ts`) or in the exposure (`judge_case.ts`)
 * is mended for all versions, also when a past month is checked again.
 *
 * No rule may find anything in an ordinary order (`ordinary_orders.ts`): stories of one such order are not read.
 */
export interface RuleSet {
  version: number
  rules: readonly Rule[]
  /** The codes of all defects that the rules can find. */
  codes: readonly DefectCode[]
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
  usedTicketOfCancelledEvent,
  usedAfterVoid,
  refundOfUsed,
  refundAfterClose,
  zeroTotal,
  revokedConfirm,
  paidAfterWindowEnd,
  lateMoney,
  seatResold,
  missingAtPartner,
  returnedWithoutVoid,
  chargedLess,
  voidWithoutRefund,
  chargesBeyondOrders,
]

/** Codes that a later version adds are to be left out here. */
const FIRST_CODES = Object.keys(DEFECT_CODES) as DefectCode[]

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
