import type { StatementRef } from '#ledger/queries/find_statement'
import type { Passport } from '#workbooks/proof/passport'
import type { Problem, RawCell } from '#spreadsheets/read_table'

interface InSheet {
  sheet: string
  /** The file within an archive; absent for a single workbook. */
  file?: string
}

/** A difference from what we would write now. `column` is the column's heading. */
export type Difference =
  | (InSheet & { kind: 'cell'; cell: string; column: string; inFile: RawCell; isTrue: RawCell })
  | { kind: 'row_missing'; sheet: string; key: string }
  | (InSheet & { kind: 'row_added'; key: string; line: number })
  | { kind: 'column_missing'; sheet: string; column: string }
  | { kind: 'sheet_missing'; sheet: string }

export type NotOursReason =
  /** The file cannot be read as a workbook; `problem` says why. */
  | 'unreadable'
  /** A workbook without our passport. */
  | 'no_passport'
  /** One of several files of a document, which are compared together only. */
  | 'in_files'
  | 'other_partner'
  | 'no_such_partner'
  | 'no_such_statement'

export type Successor =
  /** A draft whose period has been closed since. */
  | { kind: 'statements'; statements: StatementRef[] }
  /** A draft with newer data since. */
  | { kind: 'newer_data' }
  /** A superseded statement without a replacement yet. */
  | { kind: 'withdrawn' }
  /** A superseded statement and its replacement. */
  | { kind: 'replaced'; statements: StatementRef[] }
  /** A statement in force whose status or cases have changed since. */
  | { kind: 'newer_judgement' }
  /** Written in an older format. */
  | { kind: 'newer_format'; version: number }

/** The hashes by their stored names: of fixed data and of changeable data (`proof.ts`). */
interface StoredHashes {
  dataSha256: string
  defectsSha256: string
}
type StoredPassport = Omit<Passport, keyof Hashes> & StoredHashes
type Hashes = Pick<Passport, 'fixedDataSha256' | 'changeableDataSha256'>

export const storedHashes = (hashes: Hashes): StoredHashes => ({
  dataSha256: hashes.fixedDataSha256,
  defectsSha256: hashes.changeableDataSha256,
})

export function storedPassport({
  fixedDataSha256,
  changeableDataSha256,
  ...others
}: Passport): StoredPassport {
  return { ...others, ...storedHashes({ fixedDataSha256, changeableDataSha256 }) }
}

/**
 * `differs`: somebody changed the file. In all others the file is what we wrote, but we would write another one now:
 * `superseded`: its statement was withdrawn, or it is a draft with a statement or newer data since;
 * `outdated`: its statement is in force, and what may change (judgement of cases, statuses, the format) has changed;
 * `data_changed`: the data of an issued statement are others, which must never be: our own data were changed.
 */
export type ComparedVerdict = 'identical' | 'superseded' | 'outdated' | 'data_changed' | 'differs'

/** Stored as the result of a run, so the names of its fields stay. */
export interface ComparedWorkbook {
  verdict: ComparedVerdict
  /** The passport that the file states. */
  claim: StoredPassport
  by: Successor | null
  /** Whether the seal proves that rows and totals are what we wrote. */
  isSealed: boolean
  /** The number of all differences; `differences` holds the first 500. */
  count: number
  differences: Difference[]
  /** The hashes of the document as it is now; null when nothing was compared. */
  present: StoredHashes | null
}

export type CheckResult =
  { verdict: 'not_ours'; why: NotOursReason; problem: Problem | null } | ComparedWorkbook

export interface CheckProgress {
  phase: 'writing' | 'comparing'
  sheet: string
  rowsDone: number
}

const MAX_LISTED = 500

/** Counts all differences and keeps the first. */
export class Differences {
  count = 0
  readonly first: Difference[] = []

  add(difference: Difference) {
    this.count += 1
    if (this.first.length < MAX_LISTED) this.first.push(difference)
  }
}
