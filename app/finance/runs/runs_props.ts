import type { TableProblem } from '#finance/registers/registers_props'
import type { ListPage } from '#staff_area/lists'
import type { Json } from '#staff_area/page_props'
import type { PartnerChoice } from '#staff_area/partner_choices'
import type { CaseLink } from '#rule_comparisons/find_case_links'
import type { RuleSetComparison } from '#rule_comparisons/compare_rule_sets'
import type { RunProgress } from '#runs/run_body'
import type { AnswerOutcome } from '#returned_workbooks/answers/apply_answers'
import type {
  AnswerProblem,
  AnswersFile,
  AnswerRow,
} from '#returned_workbooks/answers/read_answers'
import type { CheckResult, Difference } from '#returned_workbooks/check/check_result'

/** Names of the filters in the address of the list. */
export const RUN_FILTERS = ['partner', 'kind', 'state', 'before'] as const
export type RunFilters = Record<(typeof RUN_FILTERS)[number], string | null>

/** Long work that somebody asked for and a worker does. */
export interface RunLine {
  id: number
  kind: string
  /** The partner's code. */
  partner: string | null
  partnerName: string | null
  params: Record<string, unknown>
  /** The number of the statement that the params name. */
  statement: string | null
  language: string
  state: string
  progress: RunProgress | null
  askedAt: string
  askedBy: string
  startedAt: string | null
  finishedAt: string | null
}

export interface RunsPage {
  filters: RunFilters
  runs: ListPage<RunLine>
  partners: PartnerChoice[]
  kinds: readonly string[]
}

export interface RunDetails extends RunLine {
  attempts: number
  /** By its kind one of the results below. */
  result: Record<string, unknown> | null
  error: { code: string; details?: Record<string, unknown> } | null
  isCancelling: boolean
  keptUntil: string | null
}

export interface RunFile {
  name: string
  rows: number | null
  bytes: number
  sha256: string
  /** A signed link that expires soon. */
  url: string
}

export interface RunPage {
  run: RunDetails
  files: RunFile[]
  /** One's own run, or any with the right to manage settlement. */
  mayCancel: boolean
}

type KeyOf<Union> = Union extends unknown ? keyof Union : never
type ValueAt<Union, Key> = Union extends unknown
  ? Key extends keyof Union
    ? Union[Key]
    : undefined
  : never
/** A union as one shape: a field that only some of its members have may be undefined. */
type Merged<Union> = { [Key in KeyOf<Union>]: ValueAt<Union, Key> }

/** A row of a partner's answers and what would follow from it, or has followed. */
export type AnswerLine = AnswerOutcome & Partial<AnswerRow>
/** The result of reading a workbook with a partner's answers, or of applying them. */
export type AnswersResult = Merged<
  | Exclude<AnswersFile, { answers: unknown }>
  | {
      counts: Record<AnswerOutcome['outcome'], number>
      problemCount: number
      lines: AnswerLine[]
      problems: AnswerProblem[]
    }
>

export type WorkbookDifference = Merged<Json<Difference>>
/** The result of comparing an uploaded workbook with what we would write now. */
export type WorkbookCheck = Omit<Merged<Json<CheckResult>>, 'differences'> & {
  differences?: WorkbookDifference[]
}

/** A case that two versions of the rules judge differently. */
export type DifferingCase = Json<RuleSetComparison['cases'][number]> & CaseLink
/** The result of judging the same months by two versions of the rules; money is text. */
export type RulesComparison = Omit<Json<RuleSetComparison>, 'cases'> & { cases: DifferingCase[] }

/** The result of reading or matching a register. */
export type RegisterResult = { registerId: number } & (
  TableProblem | { problem?: undefined; rows: number; unparseable?: number; cases?: number }
)
