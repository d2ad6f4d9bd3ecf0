import { lineOf, THEIR_STATEMENT, type RunLine, type RunRow } from '#finance/runs/list_runs'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { signedUrlFor } from '@adonisjs/core/services/url_builder'

type Run = RunLine & {
  attempts: number
  result: Record<string, unknown> | null
  error: { code: string; details?: Record<string, unknown> } | null
  isCancelling: boolean
  keptUntil: string | null
}

const selectRun = statement<RunRow<Run>, { id: number }>(
  'back_office_run',
  `SELECT r.id, r.kind, p.code AS partner, p.name AS "partnerName", r.params, r.language, r.state, r.progress,
          r.asked_at AS "askedAt", r.asked_by AS "askedBy", r.started_at AS "startedAt", r.finished_at AS "finishedAt",
          st.number AS drawn, r.attempts, r.result, r.error, r.kept_until AS "keptUntil",
          r.cancel_asked_at IS NOT NULL AND r.state = 'running' AS "isCancelling"
     FROM settlement_runs r LEFT JOIN partners p ON p.id = r.partner_id ${THEIR_STATEMENT} WHERE r.id = :id`
)

export interface RunFile {
  name: string
  rows: number | null
  bytes: number
  sha256: string
}

const selectFiles = statement<RunFile, { id: number }>(
  'back_office_run_files',
  `SELECT name, rows, bytes::float8 AS bytes, sha256 FROM settlement_run_files WHERE run_id = :id ORDER BY id`
)

export async function findRun(id: number): Promise<Run> {
  const found = await selectRun.first({ id })
  return found ? lineOf(found) : refuse('NO_SUCH', { what: 'run' })
}

const selectFile = statement<{ claim: string; sha256: string }, { id: number; name: string }>(
  'back_office_run_file',
  `SELECT r.claim, f.sha256 FROM settlement_runs r JOIN settlement_run_files f ON f.run_id = r.id
    WHERE r.id = :id AND f.name = :name AND r.state = 'succeeded'`
)

/** A file that is still kept; refuses NO_SUCH. */
export async function findRunFile(id: number, name: string) {
  return (await selectFile.first({ id, name })) ?? refuse('NO_SUCH', { what: 'file' })
}

export const LINK_PURPOSE = 'run-file'
/** The page asks for new ones as long as it is looked at. */
const LINK_LASTS = '15 minutes'

/** Its files, with links that soon lead nowhere. */
export async function readRunFiles({ id, state }: Run) {
  if (state !== 'succeeded') return []
  const files = await selectFiles({ id })
  const options = { expiresIn: LINK_LASTS, purpose: LINK_PURPOSE }
  return files.map((file) => ({
    ...file,
    url: signedUrlFor('back_office.run.file', { id, name: file.name }, options),
  }))
}
