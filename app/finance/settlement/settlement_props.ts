import type { RulePrecision } from '#finance/cases/cases_props'
import type { MailLine, Mailing } from '#finance/mails/mails_props'
import type { ListPage } from '#staff_area/lists'
import type { PartnerChoice } from '#staff_area/partner_choices'
import type { SecondPeople } from '#staff_area/second_people'
import type { OpenCases } from '#defects/cases/open_cases_of_period'
import type { ExposureTenge } from '#defects/facts/exposure'
import type { Verdict } from '#defects/conduct/judge_partner'
import type { MovementKind } from '#ledger/movements'
import type { SettlementStatement } from '#ledger/queries/find_statement'
import type { IssuerRow } from '#ledger/issuer'
import type { AgeBucket, ItemKind } from '#ledger/queries/open_items'
import type { RequestAct } from '#ledger/settlement_requests'
import type { PaymentStatus, StatementStatus } from '#ledger/statement_status'
import type { TermsRow } from '#ledger/terms'

export interface AccountLine {
  /** The partner's code. */
  code: string
  name: string
  /** Whether terms were ever agreed on with it. */
  hasTerms: boolean
  /** The last statement: its id, number, status, end and closing balance. */
  statementId: number | null
  number: number | null
  status: StatementStatus | null
  paymentStatus: PaymentStatus | null
  closedUntil: string | null
  /** Positive: the partner owes us. */
  closingTenge: number | null
  /** Statements with money to be paid after their last day, the earliest of these days, and the money. */
  overdue: { statements: number; payBy: string; tenge: number } | null
  openCases: number
  /** The money at risk in them. */
  exposure: ExposureTenge
}

/** Of all accounts that are asked for. */
export interface AccountTotals extends Pick<AccountLine, 'openCases' | 'exposure'> {
  closingTenge: number
}

export interface SettlementPage {
  filters: { q: string | null }
  /** The first ones of those that are asked for. */
  accounts: AccountLine[]
  /** How many are asked for. */
  count: number
  totals: AccountTotals
  /** Whether our own legal name and BIN are set: without them no statement is issued. */
  hasIssuer: boolean
  balances?: AccountBalances
  ageing?: AccountAgeing
}

/** Present balances by the partner's code, and of all that are asked for; positive: the partner owes us. */
export type AccountBalances = { byCode: Record<string, number>; totalTenge: number }

/** Open tenge by days since the item's date: 0–30, 31–60, 61–90, more. */
export type AgeingLine = Record<AgeBucket, number> & { total: number }
export type Ageing = { debits: AgeingLine; credits: AgeingLine }
/** By the partner's code, and of all that are asked for. */
export type AccountAgeing = { byCode: Record<string, Ageing>; total: Ageing }

/** A debit or credit that is not fully put against something. */
export type OpenItemLine = {
  /** `payment:3`, `memo:7`, `statement:12` */
  item: string
  kind: ItemKind
  /** `SET-000012`, `MEM-000007`, or a payment's reference. */
  name: string
  statementId: number | null
  /** `2026-11-24` */
  datedOn: string
  ageDays: number
  amountTenge: number
  allocatedTenge: number
  restTenge: number
  /** Of a credit: the oldest open debit, and how much of it. */
  proposal: { debit: string; amountTenge: number } | null
}

/** A credit that is put against a debit. */
export type AllocationLine = {
  id: number
  credit: string
  debit: string
  amountTenge: number
  allocatedBy: string
  allocatedAt: string
  /** A document against its reversal, which cannot be undone. */
  isReversal: boolean
}

export type OpenItems = {
  /** The oldest first. */
  debits: OpenItemLine[]
  credits: OpenItemLine[]
  allocations: AllocationLine[]
  ageing: Ageing
}

export interface TermsLine extends Omit<
  TermsRow,
  'validFrom' | 'minPaymentTenge' | 'penaltyTenge'
> {
  validFrom: string
  minPaymentTenge: number
  penaltyTenge: number
}

export interface StatementLine {
  id: number
  /** `SET-000012`. */
  number: string
  status: StatementStatus
  from: string
  to: string
  lines: number
  closingTenge: number
  /** Null when it is withdrawn. */
  paymentStatus: PaymentStatus | null
  /** The last day to pay it, `2026-11-24`; null where the terms have none. */
  payBy: string | null
  isOverdue: boolean
  /** What was put against it, signed as `dueTenge`. */
  paidTenge: number
  /** To be paid of it; negative: we pay the partner. */
  dueTenge: number
}

/** A correction of the account: requested, approved or declined. */
export interface MemoLine {
  id: number
  /** `MEM-000012`; null until it is approved. */
  number: string | null
  kind: string
  amountTenge: number
  reason: string
  askedBy: string
  askedAt: string
  outcome: string | null
  decidedBy: string | null
  /** The memo that it takes back, and the one that takes it back or is to. */
  reverses: string | null
  isReversed: boolean
}

/** What waits for a second person, other than memos; what is null doesn't belong to its act. */
export interface RequestLine {
  id: number
  act: RequestAct
  amountTenge: number
  askedBy: string
  askedAt: string
  payment: { bankReference: string; paidOn: string; direction: string; reverses?: string } | null
  terms: { validFrom: string; commissionBp: number; vatBp: number } | null
  reason: string | null
}

/** What people know a payment by. */
export type PaymentName = {
  id: number
  bankReference: string
  /** `2026-11-24`. */
  paidOn: string
  amountTenge: number
}

export interface PaymentLine extends PaymentName {
  direction: string
  /** Who approved it, where a second person was needed. */
  approvedBy: string | null
  /** The reference of the same payment, which had been recorded before. */
  duplicateOf: string | null
  /** Numbers of the statements that it pays. */
  statements: string[]
  /** The reference of the payment that the bank took back with this one, and why. */
  reverses: string | null
  reason: string | null
  isReversed: boolean
}

/** All movements of one kind in a period; positive: they increase the partner's debt to us. */
export type KindTotal = {
  kind: MovementKind
  movements: number
  tickets: number
  tenge: number
}

/** The open period, with the figures its statement would have now. */
export type OpenPeriod = {
  from: string
  to: string
  closesAt: string
  /** Whether it can be closed already. */
  isOver: boolean
  openingTenge: number
  closingTenge: number
  lines: number
  /** Movements that took effect before the period began. */
  lateLines: number
  totals: KindTotal[]
  openCases: OpenCases
}

/** One measure of a partner's month, with its own and everybody's usual value. */
export type ScorecardFigure = {
  code: string
  value: number
  sample: number
  lowerBound: number
  ownMedian: number | null
  allMedian: number | null
  verdict: Verdict
}

export type Scorecard = {
  /** `2026-11`. */
  month: string
  checkedAt: string | null
  figures: ScorecardFigure[]
}

export const ACCOUNT_FILTERS = ['month', 'memosBefore', 'paymentsBefore'] as const
/** The month of the scorecard, and the cursors of the two lists. */
export type AccountFilters = Record<(typeof ACCOUNT_FILTERS)[number], string | null>

/** What a payment that is about to be recorded is compared by. */
export const SAME_BY = ['paidOn', 'direction', 'amountTenge'] as const
export type SameBy = (typeof SAME_BY)[number]

export interface AccountPage extends Mailing {
  partner: PartnerChoice
  filters: AccountFilters
  terms: TermsLine[]
  statements: StatementLine[]
  /** Those that wait for a decision come first. */
  memos: ListPage<MemoLine>
  payments: ListPage<PaymentLine>
  items: OpenItems
  /** The payment that a refused one repeats. */
  existingPayment: PaymentName | null
  /** Payments of the day, direction and sum in the address; read for a payment that is about to be recorded or approved. */
  samePayments?: PaymentName[]
  requests: RequestLine[]
  /** The withdrawn statement whose period is open again: memos made for it go into the next one. */
  withdrawn: StatementLink | null
  /** Rates above these need a confirmation and a second person. */
  highRates: { commissionBp: number; vatBp: number }
  /** By the email of who asks: who may approve it. The viewer is always in it. */
  second: Record<string, SecondPeople>
  /** Null before the first sale. */
  preview?: OpenPeriod | null
  scorecard?: Scorecard
  precision?: RulePrecision[]
}

interface StatementLink {
  id: number
  number: string
}

export interface IssuedStatement
  extends
    StatementLine,
    Pick<
      SettlementStatement,
      | 'partnerName'
      | 'lateLines'
      | 'zone'
      | 'statementSha256'
      | 'prevSha256'
      | 'prevId'
      | 'issuedBy'
      | 'statusBy'
      | 'statusNote'
    > {
  /** The partner's code. */
  partner: string
  issuedAt: string
  disputeUntil: string
  statusAt: string
  supersedes: StatementLink | null
  supersededBy: StatementLink | null
  openingTenge: number
  /** The amount due by its lines, where memos among them were paid by themselves; else null. */
  periodDueTenge: number | null
  /** The minimum payment, when the closing balance is below it and is carried over. */
  carriedUnderTenge: number | null
}

/** The details that the statement has: of its day, and of its terms. */
export interface StatementParties {
  /** Null for a statement from before our details were kept. */
  ours: Pick<IssuerRow, 'legalName' | 'bin' | 'address' | 'signatory'> | null
  partner: Pick<TermsRow, 'bin' | 'signatory' | 'contractNumber' | 'contractDate'> & {
    legalName: string
  }
}

export interface StatementPage extends Mailing {
  statement: IssuedStatement
  parties: StatementParties
  totals: KindTotal[]
  mails: MailLine[]
  /** Names of the transitions that its status allows. */
  triggers: string[]
  /** Parts that differ from what was issued; empty when all agree. */
  wrong?: string[]
}

export interface IssuerLine extends Omit<IssuerRow, 'setAt'> {
  setAt: string
}

export interface IssuerPage {
  /** The newest first; the first one is in force. Empty until somebody has set our details. */
  issuers: IssuerLine[]
}
