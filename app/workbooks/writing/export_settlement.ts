import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import type { WriteWorkbookInput } from '#workbooks/writing/workbook_writer'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import { basename } from 'node:path'

/** Writes the workbook and records in the journal who exported it. */
export default class ExportSettlement {
  async handle({ actor, ...input }: WriteWorkbookInput & { actor: Actor }) {
    const written = await writeSettlementWorkbook(input)
    const { partnerId, fixedDataSha256 } = written
    const entry = {
      file: basename(written.path),
      language: input.language,
      data_sha256: fixedDataSha256,
    }
    await transaction((trx) => record('settlement_exported', entry, { actor, partnerId }, trx))
    return written
  }
}
