import type { StatementRef } from '#ledger/queries/find_statement'
import type { Passport } from '#workbooks/proof/passport'
import type { Problem, RawCell } from '#spreadsheets/read_table'

interface InSheet {
  sheet: string
  /** Which of an archive's; not given for a workbook by itself. */
  file?: string
}

/** What is not as we would write it now. `column` is the heading of the column. */
export type Difference =
  | (InSheet & { kind: 'cell'; cell: string; column: string; inFile: RawCell; isTrue: RawCell })
  | { kind: 'row_missing'; sheet: string; key: string }
  | (InSheet & { kind: 'row_added'; key: string; line: number })
  | { kind: 'column_missing'; sheet: string; column: string }
  | { kind: 'sheet_missing'; sheet: string }

export type WhyNotOurs =
  /** Nothing that can be read as a workbook; `problem` says why. */
  | 'unreadable'
  /** A workbook without the passport that ours have. */
  | 'no_passport'
  /** Not all of the files that are one document: they are compared together. */
  | 'in_files'
  | 'other_partner'
  | 'no_such_partner'
  | 'no_such_statement'

export type Successor =
  /** A draft, and its period has been closed. */
  | { kind: 'statements'; statements: StatementRef[] }
  /** A draft, and more has happened since. */
  | { kind: 'newer_data' }
  /** A statement that was withdrawn, and none stands in its place yet. */
  | { kind: 'withdrawn' }
  /** A statement that was withdrawn, and the one in its place. */
  | { kind: 'replaced'; statements: StatementRef[] }
  /** A statement that stands; how its cases are judged, or its own state, has changed since. */
  | { kind: 'newer_judgement' }
  /** Written when books had other sheets or columns. */
  | { kind: 'newer_format'; version: number }

export interface ComparedWorkbook {
  /** `differs`: somebody has changed it; `superseded`: it is as we wrote it, and we would write another one now. */
  verdict: 'identical' | 'superseded' | 'differs'
  claim: Passport
  by: Successor | null
  /** Whether its rows and totals are what we once wrote. */
  isSealed: boolean
  /** All of them, of which the first are told. */
  count: number
  differences: Difference[]
  /** What it would say now; null when it could not be compared. */
  present: { dataSha256: string; defectsSha256: string } | null
}

export type CheckResult =
  { verdict: 'not_ours'; why: WhyNotOurs; problem: Problem | null } | ComparedWorkbook

export interface CheckProgress {
  phase: 'writing' | 'comparing'
  sheet: string
  rowsDone: number
}

const MOST = 500

/** All are counted and the first are kept. */
export class Differences {
  count = 0
  readonly first: Difference[] = []

  add(difference: Difference) {
    this.count += 1
    if (this.first.length < MOST) this.first.push(difference)
  }
}
