import type { CasePerson } from '#finance/cases/cases_props'
import type { ListPage } from '#staff_area/lists'
import type { PartnerChoice } from '#staff_area/partner_choices'
import type { OrderStatus } from '#sales/order_status'
import type { MatchCategory, MatchStep, Reason } from '#reconciliation/matching/match_case'
import type { RegisterField } from '#register_reading/header_words'
import type { RowProblem } from '#register_reading/parse_row'
import type { ReadWord, SetupProposal } from '#register_reading/propose_setup'
import type { RememberedRefusal } from '#register_reading/remembered_mapping'
import type { ProposedColumn, ProposedMapping } from '#register_reading/propose_mapping'
import type { RegisterState } from '#reconciliation/store/register_state'
import type { ColumnMapping, SkippedText } from '#register_reading/register_table'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import type { RegisterPreview } from '#reconciliation/store/register_preview'
import type { ConfirmationProblems } from '#reconciliation/store/confirmation_problems'
import type { LeftOutSheet, RegisterPart, SheetOfFile } from '#reconciliation/store/register_parts'
import type { RowsAre } from '#register_reading/register_part'
import type { RegisterSource } from '#reconciliation/store/register_source'
import type { DayRange, OverlappingRegister } from '#reconciliation/store/taken_days'
import type { StoredControl } from '#reconciliation/store/stored_values'
import type { RunProgress } from '#runs/run_body'

export type { ControlProblem, FoundInRow } from '#reconciliation/store/confirmation_problems'
export type { Reason } from '#reconciliation/matching/match_case'
export type { ReadWord, SetupProposal } from '#register_reading/propose_setup'

export interface RegisterLine {
  id: number
  state: RegisterState
  source: string
  from: string
  to: string
  fileName: string
  uploadedAt: string
  uploadedBy: string
  /** Null until the file is read. */
  rows: number | null
  tenge: number | null
  /** Cases in which rows and orders do not agree, or one side is missing. Null until it is matched. */
  differing: number | null
  isUnreadable: boolean
}

/** Where in a file the reader failed, and why. */
export type TableProblem = NonNullable<PartnerRegister['problem']>

export type SourceName = Pick<RegisterSource, 'id' | 'name'>

export interface RegistersPage {
  partner: PartnerChoice
  registers: RegisterLine[]
  /** The state of the listed registers; null for all. */
  filters: { state: string | null }
  sources: SourceName[]
  /** First and last day of the partner's last complete period, as the form proposes them. */
  period: { from: string; to: string }
  /** The refused file of the last upload. */
  refused: (TableProblem & { file: string }) | null
  /** Largest file, in bytes. */
  limit: number
}

/** What was read from the file against what the file or a person declared. */
export interface RegisterControl extends Pick<
  StoredControl,
  'rowsIn' | 'parsed' | 'unparseable' | 'count' | 'sum' | 'sumAgreesWith' | 'skipped' | 'lines'
> {
  /** Subtotals and rows below the table, the first ones. */
  skippedTexts: SkippedText[]
  sumTenge: number
  salesTenge: number
  refundsTenge: number
  notPaidTenge: number
  returnedTenge: number
  feesAddedTenge: number
  declared: { count: number | null; sumTenge: number | null }
}

export interface CategoryFigures {
  category: MatchCategory
  cases: number
  rows: number
  orders: number
  rowsTenge: number
  ordersTenge: number
}

/** A fee that the partner's amounts may contain, how many rows it explains, and whether a person has accepted it. */
export type FeeLine = { rows: number; isKept: boolean } & (
  { kind: 'percent'; basisPoints: number } | { kind: 'sum'; tenge: number } | { kind: 'fee_column' }
)

/** A sheet or file of a register, and what was read of it. */
export interface PartLine extends Pick<
  RegisterPart,
  'number' | 'fileName' | 'sheet' | 'firstLine' | 'rowsAre' | 'addedBy'
> {
  /** Null until it is read. */
  control: Pick<RegisterControl, 'rowsIn' | 'sumTenge' | 'count' | 'sum' | 'declared'> | null
}
/** A sheet that nobody has decided about, and what its rows seem to be. */
export type UndecidedSheet = SheetOfFile & { rowsAre: RowsAre }

/** Why a sheet or file did not become a part, with what the refusal names. */
export interface RefusedPart {
  code: 'PART_COLUMNS_DIFFER' | 'PART_TWICE' | 'REGISTER_FILE_TAKEN' | 'REGISTER_UNREADABLE'
  file: string
  sheet?: string | null
  missing?: string[]
  unknown?: string[]
  problem?: string
  line?: number | null
  column?: number | null
}

/** A register as all its pages show it. */
export interface RegisterHead extends Pick<
  PartnerRegister,
  | 'id'
  | 'state'
  | 'version'
  | 'partnerName'
  | 'sourceId'
  | 'sourceName'
  | 'fileName'
  | 'bytes'
  | 'sha256'
  | 'format'
  | 'encoding'
  | 'sheet'
  | 'sheets'
  | 'uploadedBy'
  | 'decidedBy'
  | 'declaredRows'
  | 'problem'
> {
  /** Statements in force for days of the register. */
  closedBy: { id: number; number: string }[]
  /** The partner's code. */
  partner: string
  /** Midnights at the venues of its first day and after its last. */
  from: string
  to: string
  /** How much later its days begin by its source. */
  dayShiftMinutes: number
  uploadedAt: string
  decidedAt: string | null
  /** Why it was confirmed although something was wrong with it. */
  waivedBecause: string | null
  declaredTenge: number | null
  feeRules: FeeLine[]
  /** Its sheets and files; the first is the one that it was uploaded with. */
  parts: PartLine[]
  undecidedSheets: UndecidedSheet[]
  leftOutSheets: (LeftOutSheet & { file: string })[]
  /** Null until the file is read. */
  control: RegisterControl | null
  /** Only categories with cases; null until it is matched. */
  totals: CategoryFigures[] | null
}

/** The run that reads or matches the register, or did last. */
export interface RegisterWork {
  id: number
  kind: string
  state: string
  progress: RunProgress | null
  error: { code: string } | null
}

/** Names of the filters in the address of a register. */
export const MATCH_FILTERS = ['category', 'step', 'decision', 'owner', 'q', 'before'] as const
export type MatchFilters = Record<(typeof MATCH_FILTERS)[number], string | null>

export interface MatchRow {
  line: number
  orderKey: string | null
  orderId: string | null
  paymentId: string | null
  tenge: number | null
  /** What went back of it, where rows show states. */
  returned: number
  at: string | null
  kind: 'sale' | 'refund'
  /** The partner's own books call it unpaid; a refund was declined. */
  isNotPaid: boolean
  problems: RowProblem[]
}

export interface MatchOrder {
  id: string
  /** The partner's number of the order. */
  key: string
  paymentId: string | null
  tenge: number
  refundedTenge: number
  status: OrderStatus
  at: string
}

/** Rows of the register and orders of ours that belong together, and what people decided about them. */
export interface MatchLine {
  id: number
  version: number
  place: number
  category: MatchCategory
  step: MatchStep
  /** Found by likeness or repair: a person confirms it. */
  isSuggested: boolean
  rowsTenge: number
  ordersTenge: number
  why: Reason[]
  /** The order that a row without one most likely means. */
  meantOrderId: string | null
  decision: 'accepted' | 'rejected' | null
  decidedBy: string | null
  owner: string | null
  dueOn: string | null
  note: string | null
  /** The first of them. */
  rows: MatchRow[]
  rowCount: number
  orders: MatchOrder[]
  orderCount: number
}

export interface SuggestionCounts {
  undecided: number
  rejected: number
}

/**
 * Differences of a register that become cases when it is confirmed, by kind. No case comes of `shown_elsewhere`: orders that it
 * lacks and another confirmed register shows.
 */
export type FutureCases = {
  kind:
    | 'unknown_money'
    | 'missing_orders'
    | 'named_in_unread_rows'
    | 'shown_elsewhere'
    | 'sums'
    | 'statuses'
    | 'refunds'
  count: number
  tenge: number
  /** By how much rows show more than our orders, and less, each case by itself. */
  moreTenge: number
  lessTenge: number
}[]

/** What stands in the way of confirming a register. */
export interface Obstacles extends ConfirmationProblems {
  /** Confirmed registers of its source and days, and which of their days would be lost. */
  overlapping: (OverlappingRegister & { lost: DayRange[] })[]
}

export interface RegisterPage {
  register: RegisterHead
  /** Null unless it can be confirmed next. */
  obstacles: Obstacles | null
  /** Read once the dialog that confirms it opens. */
  futureCases?: FutureCases
  source: SourceSetup
  /** What the words of its operations were read as. */
  words: ReadWord[]
  /** The sheet or file that was refused last. */
  refusedPart: RefusedPart | null
  replacedBy: { id: number; fileName: string } | null
  filters: MatchFilters
  /** Null until it is matched. */
  matches: ListPage<MatchLine> | null
  suggestions: SuggestionCounts
  people: CasePerson[]
  work: RegisterWork | null
}

/** A row as it stands in the file, and why its values can't be read by the chosen columns. */
export interface SampleRow {
  line: number
  /** Not a title, a total or a signature. */
  isPayment: boolean
  cells: string[]
  problems: (RowProblem & { column: number | null })[]
}

/** How a source is set up. */
export type SourceSetup = Omit<RegisterSource, 'partnerId'>

export interface MappingPage {
  register: RegisterHead
  source: SourceSetup
  sources: SourceName[]
  mapping: ColumnMapping
  fields: readonly RegisterField[]
  beginning: Pick<RegisterPreview, 'headers' | 'headerLine' | 'titles' | 'width'>
  refusedPart: RefusedPart | null
  proposal: {
    columns: ProposedColumn[]
    remembered: ProposedMapping['remembered']
    /** What the file lacks of the columns of its source. */
    refusedBySource: RememberedRefusal | null
  }
  sample: SampleRow[]
  /** What the first rows suggest about the source. */
  proposals: SetupProposal[]
  /** What the words of the first rows are read as. */
  words: ReadWord[]
}
