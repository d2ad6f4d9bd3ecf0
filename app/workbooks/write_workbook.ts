import { refreshInTurn } from '#defects/cases/refresh_defects'
import type { Totals } from '#ledger/movements'
import { findScope, type ScopeInput } from '#workbooks/find_scope'
import { readDocument } from '#workbooks/read_document'
import { MAX_ROWS, ROWS_PER_SHEET } from '#workbooks/sheet'
import type { TwinFile } from '#workbooks/twins'
import { WorkbookWriter } from '#workbooks/workbook_writer'
import type { Language } from '#workbooks/words/words'
import type { GiveWay } from '#shared/give_way'
import { takeTime } from '#shared/patience'
import { transaction } from '#shared/transaction'

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
  /** Rests to take between rows. */
  giveWay?: GiveWay
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

/**
 * Writes the settlement workbook of a statement or of a range, all out of one snapshot and row by row; nothing is left
 * behind when it fails or is aborted. Defects are judged anew first. What has more rows than a sheet should hold goes on in
 * further books: then there is an archive of them, with a list. Refuses NO_SUCH.
 */
export async function writeSettlementWorkbook(input: WriteWorkbookInput): Promise<WrittenWorkbook> {
  const scope = await findScope(input.partnerCode, input.scope, input.language)
  const { partner, from, to } = scope
  const { signal } = input
  await refreshInTurn({ partnerId: partner.id, from, to, signal })
  return transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await takeTime(trx)
    const rowsPerSheet = Math.min(input.rowsPerSheet ?? ROWS_PER_SHEET, MAX_ROWS)
    const document = await readDocument(scope, trx, { rowsPerSheet })
    return new WorkbookWriter(input, scope, document, trx).write()
  }, signal)
}
