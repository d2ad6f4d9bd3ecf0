import type { PartnerChoice } from '#staff_area/partner_choices'
import type { ListPage } from '#staff_area/lists'
import type { Json } from '#staff_area/page_props'
import type { RegisterName } from '#reconciliation/store/name_registers'
import type { ExplainedBalance } from '#defects/balance/explained'
import type { CaseState } from '#case_work/case_state'
import type { Severity } from '#defects/rules/defect_codes'
import type { Fault } from '#defects/rules/finding'
import type { ExposureTenge } from '#defects/facts/exposure'
import type { Party } from '#defects/facts/exposure'
import type { JournalEntries } from '#shared/journal'
import type { LocalizedText } from '#shared/localized_text'

/** Names of the filters in the address of the queue. */
export const CASE_FILTERS = [
  'q',
  'partner',
  'code',
  'severity',
  'state',
  'party',
  'owner',
  'from',
  'to',
  'sort',
  'before',
] as const
export type CaseFilters = Record<(typeof CASE_FILTERS)[number], string | null>

/** The part of a case that forms change, and the version they change. */
export interface ChangeableCase {
  id: number
  version: number
  state: CaseState
  /** The states that can follow. */
  nextStates: readonly CaseState[]
  owner: string | null
  /** `2026-11-24`. */
  dueOn: string | null
}

/** The part of a case that somebody who takes it sees. */
export interface TakeableCase extends Pick<ChangeableCase, 'id' | 'version' | 'owner'> {
  /** Whether the viewer owns it. */
  isMine: boolean
  /** Neither ended nor gone. */
  isOpen: boolean
}

export interface CaseLine extends ChangeableCase, TakeableCase {
  /** The partner's code. */
  partner: string
  partnerName: string
  /** Codes of the defects, in the order of cause and effect. */
  chain: string[]
  severity: Severity
  /** What the rules find; it is at risk only while the case is open. */
  exposure: ExposureTenge
  /** What may be missing by payment ids that are not unique: a bound, which is in no sum. */
  upToTenge: number
  fault: Fault
  occurredAt: string
  /** Our orders, then the numbers that were sent and that are no order of ours. */
  orders: string[]
  resolution: string | null
}

/** Cases of a partner that the filters leave, and the money at risk in them: that of open ones. */
export interface PartnerFigures {
  code: string
  name: string
  cases: number
  exposure: ExposureTenge
}

/** The same for all partners together; `foremost` are the partners with most of buyers' money. */
export interface QueueFigures {
  cases: number
  exposure: ExposureTenge
  partners: number
  foremost: PartnerFigures[]
}

export type MonthFigures = {
  /** `2026-11`. */
  month: string
  /** The partner's name. */
  partner: string
  defects: number
}

/** How often a rule was right, by the decisions of people. */
export type RulePrecision = {
  code: string
  /** Settled cases with this defect. */
  judged: number
  /** Those of them that were marked as false positives. */
  falsePositives: number
}

/** Somebody who can own a case. */
export interface CasePerson {
  id: number
  name: string
}

export interface CasesPage {
  filters: CaseFilters
  cases: ListPage<CaseLine>
  figures: QueueFigures
  partners: PartnerChoice[]
  people: CasePerson[]
  months?: MonthFigures[]
  precision?: RulePrecision[]
}

/** Names of the filters of what has to go back to buyers. */
export const RETURN_FILTERS = ['partner', 'owner', 'sort', 'before'] as const
export type ReturnFilters = Record<(typeof RETURN_FILTERS)[number], string | null>

/** What buyers of one partner have paid without a ticket, in open cases. */
export interface PartnerReturns {
  /** The partner's code. */
  code: string
  name: string
  cases: number
  tenge: number
  /** Of it, in cases that nobody has taken. */
  unownedTenge: number
  /** When the oldest of them happened. */
  since: string
}

export interface ReturnsPage {
  filters: ReturnFilters
  cases: ListPage<CaseLine>
  /** All of them, whatever the filters: the most money first. */
  returns: PartnerReturns[]
  partners: PartnerChoice[]
}

export interface CaseDetails extends ChangeableCase, TakeableCase {
  /** The order, or the id as it was sent, that names the case. */
  key: string
  partnerId: number
  partner: string
  partnerName: string
  orderIds: string[]
  paymentIds: string[]
  severity: Severity
  exposure: ExposureTenge
  fault: Fault
  chain: string[]
  ruleSetVersion: number
  occurredAt: string
  foundAt: string
  checkedAt: string
  /** Since when the rules no longer find it. */
  goneAt: string | null
  /** The case that its orders are of now. */
  mergedInto: number | null
  ownerId: number | null
  resolution: string | null
  isFalsePositive: boolean
  stateAt: string | null
  stateBy: string | null
}

export interface CaseDefect {
  id: number
  code: string
  subclass: string | null
  isRecovered: boolean
  severity: Severity
  orderId: string
  paymentId: string | null
  isStrictBreach: boolean
  exposureTenge: number
  exposureParty: Party
  fault: Fault
  deviationMs: number | null
  hint: string | null
  /** What a sum that cannot be right probably is. */
  probableTenge: number | null
  /** What proves it: requests, orders, tickets, and registers and their rows (`register_evidence.ts`). */
  evidence: string[]
}

export interface CaseOrder {
  id: string
  status: string
  totalTenge: number
  event: LocalizedText
  eventId: string
  createdAt: string
  windowEndsAt: string
  confirmedAt: string | null
  cancelledAt: string | null
  eventCancelledAt: string | null
  paymentId: string | null
  seats: number
  /** Seats of an order without tickets that another order has bought since. */
  resoldSeats: number
}

/** What happened, in the order in which it is listed within one moment. */
export type TrailKind =
  'order_made' | 'confirm' | 'paid' | 'window_end' | 'cancelled' | 'event_cancelled' | 'void'

/** A confirm attempt of a partner, as it was received and answered. */
export interface ConfirmAttempt {
  at: string
  orderId: string
  requestId: string
  /** Null while it is not answered. */
  httpStatus: number | null
  code: string | null
  amountTenge: number | null
  /** As it was sent. */
  amountRaw: string | null
  paymentId: string | null
  paidAtRaw: string | null
  paidAt: string | null
  timestampSent: string | null
}

/** Tickets of an order that were voided at once. */
export interface VoidedTickets {
  at: string
  orderId: string
  cause: string
  tickets: number
  amountTenge: number
}

/** One line of a case's timeline; `kind` decides which of the optional fields are there. */
export interface TrailEntry
  extends
    Partial<Omit<ConfirmAttempt, 'at' | 'orderId'>>,
    Partial<Omit<VoidedTickets, 'at' | 'orderId' | 'amountTenge'>> {
  kind: TrailKind
  at: string
  orderId: string
}

export interface CaseNote {
  id: number
  at: string
  by: string
  text: string
}

/** A change of a case, or of one that was merged into it, from the audit journal. */
export type CaseJournalEntry = CaseJournalLine<'case_changed'> | CaseJournalLine<'case_merged'>

interface CaseJournalLine<Name extends 'case_changed' | 'case_merged'> {
  id: string
  at: string
  actor: string
  name: Name
  change: JournalEntries[Name]
}

/** A correction of the partner's account that this case is the evidence for. */
export interface CaseMemo {
  id: number
  /** `MEM-000012`; null until it is approved. */
  number: string | null
  kind: string
  amountTenge: number
  reason: string
  askedBy: string
  askedAt: string
  outcome: string | null
}

/** How the exposure comes about, with the names of the sources that registers are of. */
export interface CaseBalance extends ExplainedBalance<number> {
  sourceNames: Record<string, string>
}

/** A register as its page names it, and its sheets or files where it has several. */
export type CaseRegister = Json<RegisterName>

export interface CasePage {
  kase: CaseDetails
  /** Null for a case that has not been checked since it is kept. */
  balance: CaseBalance | null
  defects: CaseDefect[]
  /** The registers in both, by id. */
  registers: Record<number, CaseRegister>
  orders: CaseOrder[]
  /** Orders of other partners that its registers or confirms name; nothing else of them is shown. */
  foreignOrderIds: string[]
  trail: TrailEntry[]
  /** The sum of all payments that confirms name, each counted once. */
  chargedTenge: number
  notes: CaseNote[]
  journal: CaseJournalEntry[]
  people: CasePerson[]
  memos: CaseMemo[]
  /** What the terms let us charge for it; 0 when it was charged or can't be. */
  penaltyTenge: number
}

/** One rule in words of accountants. The page docs/settlement-defects.md is made of the English texts. */
export interface DefectReference {
  when: string
  /** Which severity applies when, where its rule gives several. */
  severity?: string
  /** Steps of one worked example in their order. A time of day is UTC+5; other steps have a day. */
  example: { at: string; text: string }[]
  outcome: string
  action: string
  partner_answer: string
}
