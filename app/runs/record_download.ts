import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface RecordDownloadInput {
  runId: number
  name: string
  sha256: string
  actor: Actor
}

const selectPartner = statement<{ partnerId: number | null }, { runId: number }>(
  'settlement_run_partner',
  'SELECT partner_id AS "partnerId" FROM settlement_runs WHERE id = :runId'
)

/** Records in the journal who downloads a file of a run; called before the file is sent. */
export default class RecordDownload {
  async handle({ runId, name, sha256, actor }: RecordDownloadInput) {
    await transaction(async (trx) => {
      const { partnerId } = await selectPartner.one({ runId }, trx)
      const subjects = { actor, ...(partnerId !== null && { partnerId }) }
      await record('run_file_downloaded', { run: runId, file: name, sha256 }, subjects, trx)
    })
  }
}
