import {
  type WriteWorkbookInput,
  type WrittenWorkbook,
  WorkbookWriter,
} from '#workbooks/writing/workbook_writer'
import { checkInTurn } from '#defects/cases/check_period'
import { currentIssuer } from '#ledger/actions/set_issuer'
import { findScope } from '#workbooks/document/find_scope'
import { readDocument } from '#workbooks/document/read_document'
import { MAX_ROWS, ROWS_PER_SHEET } from '#workbooks/sheets/sheet'
import { allowLongQueries } from '#shared/long_queries'
import { transaction } from '#shared/transaction'

/**
 * Writes the settlement workbook of a statement or a draft from one snapshot, after judging its defects again. A document
 * with more rows than a sheet may hold becomes an archive of workbooks. A failure leaves no file. Refuses NO_SUCH.
 */
export async function writeSettlementWorkbook(input: WriteWorkbookInput): Promise<WrittenWorkbook> {
  const scope = await findScope(input.partnerCode, input.scope, input.language)
  const { partner, from, to } = scope
  const { signal } = input
  // Stores the details of the environment while ours are empty: the snapshot below only reads.
  await transaction(currentIssuer, signal)
  await checkInTurn({ partnerId: partner.id, from, to, signal })
  return transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await allowLongQueries(trx)
    const rowsPerSheet = Math.min(input.rowsPerSheet ?? ROWS_PER_SHEET, MAX_ROWS)
    const document = await readDocument(scope, trx, { rowsPerSheet })
    const path = typeof input.path === 'string' ? input.path : input.path(document.readAt)
    return new WorkbookWriter({ ...input, path }, scope, document, trx).write()
  }, signal)
}
