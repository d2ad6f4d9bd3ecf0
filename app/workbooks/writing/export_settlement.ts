import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import type { WriteWorkbookInput } from '#workbooks/writing/workbook_writer'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import { basename } from 'node:path'

/** Writes the workbook and notes who took it. */
export default class ExportSettlement {
  async handle({ actor, ...input }: WriteWorkbookInput & { actor: Actor }) {
    const written = await writeSettlementWorkbook(input)
    const { partnerId, dataSha256 } = written
    const told = { file: basename(written.path), language: input.language, data_sha256: dataSha256 }
    await transaction((trx) => record('settlement_exported', told, { actor, partnerId }, trx))
    return written
  }
}
