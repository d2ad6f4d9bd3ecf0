import type { Party } from '#defects/facts/exposure'

export type Severity = 'BLOCKER' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO'

/** Sections of the reference for accountants (docs/settlement-defects.md), in its order. */
export const DEFECT_SECTIONS = [
  'time_of_charge',
  'money_without_ticket',
  'duplicates',
  'refunds_and_entry',
  'registers',
] as const

export interface DefectKind {
  section: (typeof DEFECT_SECTIONS)[number]
  /** All severities that its rule gives, the highest first. */
  severities: readonly Severity[]
  /** Whose money can be at risk; empty where none can. */
  parties: readonly Exclude<Party, 'NONE'>[]
}

/** Every code that a rule can find. A test runs an example of each through the rules and compares. */
export const DEFECT_CODES = {
  PAID_BEFORE_CREATED: {
    section: 'time_of_charge',
    severities: ['HIGH', 'MEDIUM', 'INFO'],
    parties: [],
  },
  PAID_IN_FUTURE: { section: 'time_of_charge', severities: ['MEDIUM'], parties: [] },
  /** The partner charged the buyer late. */
  PAID_AFTER_WINDOW: { section: 'time_of_charge', severities: ['MEDIUM'], parties: [] },
  PAID_AT_OFFSET_SUSPECT: { section: 'time_of_charge', severities: ['LOW'], parties: [] },
  SLOW_CONFIRM: { section: 'time_of_charge', severities: ['LOW'], parties: [] },
  /** We accepted a confirm that came late. */
  PAID_AFTER_WINDOW_END: { section: 'time_of_charge', severities: ['BLOCKER'], parties: [] },

  CONFIRM_ORDER_EXPIRED: {
    section: 'money_without_ticket',
    severities: ['HIGH'],
    parties: ['BUYER'],
  },
  CONFIRM_ORDER_CANCELLED: {
    section: 'money_without_ticket',
    severities: ['HIGH'],
    parties: ['BUYER'],
  },
  CONFIRM_EVENT_CANCELLED: {
    section: 'money_without_ticket',
    severities: ['HIGH'],
    parties: ['BUYER'],
  },
  CONFIRM_AMOUNT_MISMATCH: {
    section: 'money_without_ticket',
    severities: ['HIGH', 'LOW'],
    parties: ['BUYER'],
  },
  CONFIRM_BAD_BODY: {
    section: 'money_without_ticket',
    severities: ['MEDIUM'],
    parties: ['BUYER'],
  },
  /** Throttled (429), and also wrongly signed (401), answered 5xx or not answered at all. */
  CONFIRM_THROTTLED: {
    section: 'money_without_ticket',
    severities: ['HIGH'],
    parties: ['BUYER'],
  },
  CONFIRM_UNKNOWN_ORDER: {
    section: 'money_without_ticket',
    severities: ['HIGH'],
    parties: ['BUYER'],
  },
  REVOKED_CONFIRM_REJECTED: {
    section: 'money_without_ticket',
    severities: ['BLOCKER'],
    parties: ['BUYER'],
  },
  /** Mostly another finding of the case has its money; it has what no other explains. */
  LATE_MONEY_NOT_RETURNED: {
    section: 'money_without_ticket',
    severities: ['HIGH'],
    parties: ['BUYER'],
  },
  SEAT_RESOLD_AFTER_EXPIRY: {
    section: 'money_without_ticket',
    severities: ['INFO'],
    parties: [],
  },
  PAYMENT_REUSED: { section: 'money_without_ticket', severities: ['INFO'], parties: [] },

  DUP_EXTERNAL_PAYMENT_ID: {
    section: 'duplicates',
    severities: ['HIGH', 'MEDIUM', 'INFO'],
    parties: ['PLATFORM'],
  },
  CONFIRM_REPLAY_DIVERGENT: {
    section: 'duplicates',
    severities: ['HIGH', 'LOW'],
    parties: ['BUYER'],
  },
  MULTI_CHARGE_ONE_ORDER: { section: 'duplicates', severities: ['HIGH'], parties: ['BUYER'] },
  EXTERNAL_ID_PLACEHOLDER: {
    section: 'duplicates',
    severities: ['MEDIUM', 'LOW'],
    parties: [],
  },

  EVENT_CANCELLED_REFUND_DUE: {
    section: 'refunds_and_entry',
    severities: ['HIGH'],
    parties: ['BUYER'],
  },
  USED_TICKET_OF_CANCELLED_EVENT: {
    section: 'refunds_and_entry',
    severities: ['MEDIUM'],
    parties: [],
  },
  USED_AFTER_VOID: { section: 'refunds_and_entry', severities: ['HIGH'], parties: ['PLATFORM'] },
  REFUND_OF_USED: { section: 'refunds_and_entry', severities: ['MEDIUM'], parties: ['PLATFORM'] },
  REFUND_AFTER_CLOSE: { section: 'refunds_and_entry', severities: ['INFO'], parties: [] },
  ZERO_TOTAL_PAID: { section: 'refunds_and_entry', severities: ['LOW'], parties: [] },

  MISSING_AT_PLATFORM: { section: 'registers', severities: ['HIGH'], parties: ['BUYER'] },
  MISSING_AT_PARTNER: { section: 'registers', severities: ['HIGH'], parties: ['PLATFORM'] },
  VOID_WITHOUT_REFUND: { section: 'registers', severities: ['MEDIUM'], parties: ['BUYER'] },
  REFUND_WITHOUT_VOID: { section: 'registers', severities: ['HIGH'], parties: ['PLATFORM'] },
  REFUND_SUM_MISMATCH: {
    section: 'registers',
    severities: ['MEDIUM'],
    parties: ['BUYER', 'PLATFORM'],
  },
  REGISTER_AMOUNT_DIFFERS: {
    section: 'registers',
    severities: ['HIGH'],
    parties: ['BUYER', 'PLATFORM'],
  },
} as const satisfies Record<string, DefectKind>

export type DefectCode = keyof typeof DEFECT_CODES
