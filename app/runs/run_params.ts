import type { Upload } from '#runs/uploads'

/** Moments as ISO 8601: `[from, to)`. */
interface Days {
  from: string
  to: string
}

/** kind of run → its parameters, stored as JSON in its row. */
export interface RunParams {
  /** The workbook of an issued statement, or of a draft of any days. */
  workbook: { partnerCode: string; hasTwins: boolean } & ({ statementId: number } | Days)
  /** The days that the requester saw: the run must not close the following period instead. */
  close_period: { partnerCode: string } & Days
  /** Orders made in these days. */
  check_period: { partnerCode: string } & Days
  check_file: Upload
  /** A dry run reports only what would be taken. */
  answers: Upload & { partnerCode: string; isDryRun: boolean }
  read_register: { registerId: number }
  match_register: { registerId: number }
  defect_list: { partnerCode: string } & Days
  /** `base` is null for the rules in force when the run begins, `partnerCodes` for all partners. */
  compare_rules: {
    candidate: number
    base: number | null
    partnerCodes: string[] | null
  } & Days
}
export type RunKind = keyof RunParams

/** Kinds that only read: the same request gets the files of an earlier run while the data is unchanged. */
export const DOCUMENTS = ['workbook', 'defect_list'] as const satisfies readonly RunKind[]
export type DocumentKind = (typeof DOCUMENTS)[number]

export const isDocument = (kind: string): kind is DocumentKind =>
  (DOCUMENTS as readonly string[]).includes(kind)

/** In the order in which pages list them. */
export const RUN_KINDS = [
  'workbook',
  'close_period',
  'check_period',
  'check_file',
  'answers',
  'read_register',
  'match_register',
  'defect_list',
  'compare_rules',
] as const satisfies readonly RunKind[]
