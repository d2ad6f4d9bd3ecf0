import { VOID_KINDS } from '#ledger/movements'
import type { RunParams } from '#runs/run_params'
import ExportSettlement from '#workbooks/writing/export_settlement'
import type { RunBody } from '#runs/run_body'
import { findStatement } from '#ledger/queries/find_statement'
import { sumTenge } from '#shared/sums'
import { workbookFileName } from '#workbooks/writing/file_name'
import { basename, join } from 'node:path'

/** Writes the workbook of a statement or of a range of days, with CSV and JSONL copies of some sheets' data (`hasTwins`). */
const writeWorkbook: RunBody<'workbook'> = async (params, context) => {
  const { partnerCode, hasTwins } = params
  const { language, signal, throttle, actor, directory } = context
  const { scope, number, from, to } = await scopeOf(params)
  const written = await new ExportSettlement().handle({
    partnerCode,
    scope,
    path: (readAt) =>
      join(directory, workbookFileName({ partnerCode, number, from, to, language, readAt })),
    language,
    hasDataCopies: hasTwins,
    signal,
    throttle,
    actor,
    onProgress: ({ sheet: phase, ...rows }) => context.progress({ phase, ...rows }),
  })
  const { rows, totals, openingTenge, closingTenge, fixedDataSha256, dataCopies } = written
  const copies = dataCopies.map((copy) => ({ name: basename(copy.path), rows: copy.rows }))
  return {
    result: {
      rows,
      dataSha256: fixedDataSha256,
      openingTenge: String(openingTenge),
      closingTenge: String(closingTenge),
      salesTenge: String(totals.sale.tenge),
      refundsTenge: String(sumTenge(VOID_KINDS, (kind) => totals[kind].tenge)),
    },
    // An archive of workbooks when one cannot hold all rows.
    files: [{ name: basename(written.path) }, ...copies],
    isKeptForEver: number !== null,
    hasCommitted: false,
  }
}
export default writeWorkbook

async function scopeOf(params: RunParams['workbook']) {
  if ('statementId' in params) {
    const { id, number, from, to } = await findStatement(params.statementId)
    return { scope: { statementId: id }, number, from, to }
  }
  const [from, to] = [new Date(params.from), new Date(params.to)]
  return { scope: { from, to }, number: null, from, to }
}
