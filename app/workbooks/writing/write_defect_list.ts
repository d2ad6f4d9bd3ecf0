import { refreshInTurn } from '#defects/cases/refresh_defects'
import { findTermsAt } from '#ledger/terms'
import { findScope, type WorkbookScope } from '#workbooks/document/find_scope'
import { scopeSql } from '#workbooks/sheets/scope_sql'
import {
  solidColumns,
  rowsSql,
  specOf,
  type DataRow,
  type DataSheet,
  type PaintLimits,
} from '#workbooks/sheets/sheet'
import { attempts } from '#workbooks/sheets/attempts'
import { defects } from '#workbooks/sheets/defects'
import { WORDS, type Words } from '#workbooks/words/words'
import type { WriteWorkbookInput } from '#workbooks/writing/workbook_writer'
import { createWorkbook, type Workbook } from '#spreadsheets/workbook'
import { takeTime } from '#shared/patience'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

type WriteDefectListInput = Omit<WriteWorkbookInput, 'hasTwins'>

/** Two sheets of the settlement workbook by themselves: defects, judged anew first, and attempts. Gives the rows of each. */
export async function writeDefectList(
  input: WriteDefectListInput
): Promise<Record<string, number>> {
  const { signal, path, language, onProgress } = input
  const scope = await findScope(input.partnerCode, input.scope, language)
  const { partner, from, to } = scope
  await refreshInTurn({ partnerId: partner.id, from, to, signal })
  const words = WORDS[language]
  return transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await takeTime(trx)
    const properties = {
      title: words.sheets.defects,
      subject: partner.name,
      creator: words.platform,
    }
    const tell = ({ sheet, rows }: { sheet: string; rows: number }) =>
      onProgress?.({ sheet, rowsDone: rows, rowsTotal: 0 })
    await using book = createWorkbook(path, properties, { signal, onProgress: tell })
    const terms = await findTermsAt.one({ partnerId: partner.id, at: from }, trx)
    const limits = { refundDays: terms.refundEvidenceDays }
    const rows: Record<string, number> = {}
    for (const sheet of [alone(defects), alone(attempts)])
      rows[sheet.key] = await writeRows(book, sheet, { scope, words, limits, trx })
    await book.finish()
    return rows
  }, signal)
}

/** Without links to sheets that are not in this book. */
const alone = (sheet: DataSheet): DataSheet => ({ ...sheet, columns: solidColumns(sheet) })

interface Source {
  scope: WorkbookScope
  words: Words
  limits: PaintLimits
  trx: TransactionClientContract
}

async function writeRows(book: Workbook, sheet: DataSheet, { scope, words, limits, trx }: Source) {
  const footer = { left: words.sheets[sheet.key], right: scope.partner.code }
  const target = await book.sheet(specOf(sheet, words, footer, limits))
  const sql = `${scopeSql(false)} ${rowsSql(sheet)}`
  let written = 0
  for await (const raw of streamRows<DataRow>(sql, scope.params, trx)) {
    const row = sheet.say?.(raw, words) ?? raw
    await target.row(sheet.columns.map(({ key }) => row[key]))
    written++
  }
  await target.close()
  return written
}
