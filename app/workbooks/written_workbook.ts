import type { Totals } from '#ledger/movements'
import type { ScopeInput } from '#workbooks/find_scope'
import type { TwinFile } from '#workbooks/twins'
import type { BackgroundThrottle } from '#shared/background_throttle'
import type { Language } from '#shared/languages'

export interface WorkbookProgress {
  sheet: string
  rowsDone: number
  /** Of all sheets together. */
  rowsTotal: number
}

export interface WriteWorkbookInput {
  partnerCode: string
  scope: ScopeInput
  path: string
  language: Language
  /** Files of lines beside the book, of the same rows. */
  hasTwins?: boolean
  /** Of which a sheet goes on in another file; 200,000 by default, a million at most. */
  rowsPerSheet?: number
  signal?: AbortSignal
  /** Pauses between rows while partners send requests. */
  throttle?: BackgroundThrottle
  onProgress?: (progress: WorkbookProgress) => void
}

export interface WrittenWorkbook {
  /** An archive instead of the book that was asked for, when it takes several files. */
  path: string
  files: number
  partnerId: number
  bytes: number
  /** Of the file; no two writings are alike. */
  sha256: string
  /** Of what has moved; the same data give the same in any language, and an issued statement for ever. */
  dataSha256: string
  /** Of how it is judged: defects, their cases and the confirms that prove them. */
  defectsSha256: string
  rows: Record<string, number>
  totals: Totals
  openingTenge: bigint
  closingTenge: bigint
  twins: TwinFile[]
}
