import { JOIN_STATEMENT, lineOf, type RunRow } from '#finance/runs/list_runs'
import type { RunDetails, RunFile } from '#finance/runs/runs_props'
import type { WithDates } from '#staff_area/page_props'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { signedUrlFor } from '@adonisjs/core/services/url_builder'

type DetailsRow = RunRow &
  WithDates<
    Pick<RunDetails, 'attempts' | 'result' | 'error' | 'isCancelling' | 'keptUntil'>,
    'keptUntil'
  >

const selectRun = statement<DetailsRow, { id: number }>(
  'back_office_run',
  `SELECT r.id, r.kind, p.code AS partner, p.name AS "partnerName", r.params, r.language, r.state, r.progress,
          r.asked_at AS "askedAt", r.asked_by AS "askedBy", r.started_at AS "startedAt", r.finished_at AS "finishedAt",
          st.number AS "statementNumber", r.attempts, r.result, r.error, r.kept_until AS "keptUntil",
          r.cancel_asked_at IS NOT NULL AND r.state = 'running' AS "isCancelling"
     FROM settlement_runs r LEFT JOIN partners p ON p.id = r.partner_id ${JOIN_STATEMENT} WHERE r.id = :id`
)

const selectFiles = statement<Omit<RunFile, 'url'>, { id: number }>(
  'back_office_run_files',
  `SELECT name, rows, bytes::float8 AS bytes, sha256 FROM settlement_run_files WHERE run_id = :id ORDER BY id`
)

/** Refuses NO_SUCH. */
export async function findRun(id: number) {
  const found = await selectRun.first({ id })
  return found ? lineOf(found) : refuse('NO_SUCH', { what: 'run' })
}

const selectFile = statement<{ claim: string; sha256: string }, { id: number; name: string }>(
  'back_office_run_file',
  `SELECT r.claim, f.sha256 FROM settlement_runs r JOIN settlement_run_files f ON f.run_id = r.id
    WHERE r.id = :id AND f.name = :name AND r.state = 'succeeded'`
)

/** A file of a run that succeeded; refuses NO_SUCH. */
export async function findRunFile(id: number, name: string) {
  return (await selectFile.first({ id, name })) ?? refuse('NO_SUCH', { what: 'file' })
}

export const LINK_PURPOSE = 'run-file'
/** An open page renews its links before they expire. */
const LINK_LASTS = '15 minutes'

/** The files of a run, with signed links that expire soon. */
export async function readRunFiles({
  id,
  state,
}: Pick<RunDetails, 'id' | 'state'>): Promise<RunFile[]> {
  if (state !== 'succeeded') return []
  const files = await selectFiles({ id })
  const options = { expiresIn: LINK_LASTS, purpose: LINK_PURPOSE }
  return files.map((file) => ({
    ...file,
    url: signedUrlFor('back_office.run.file', { id, name: file.name }, options),
  }))
}
