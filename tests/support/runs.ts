import AskForRun from '#runs/ask_for_run/ask_for_run'
import RequestDocument from '#workbooks/document/request_document'
import { isDocument, type RunKind, type RunParams } from '#runs/run_params'
import { performRun as performWith } from '#runs/perform_run/perform_run'
import { bodyOf } from '#worker/run_kinds'
import { selectDueRuns } from '#runs/jobs/start_runs'
import { statement } from '#shared/statement'
import { TESTER, type TestPartner } from '#tests/support/fixtures'
import { one, rows } from '#tests/support/rows'
import { setTimeout as sleep } from 'node:timers/promises'

/** Does one run with the bodies that the worker knows. */
export const performRun = (id: number, stopping?: AbortSignal) => performWith(id, bodyOf, stopping)

/** As a worker does: the partner's runs whose turn it is, or everybody's, and those that they ask for. */
export async function performRuns(partner?: { id: number }) {
  const select = () => (partner ? selectDueRunsOf({ partnerId: partner.id }) : selectDueRuns({}))
  for (let due = await select(); due.length > 0; due = await select())
    for (const { id } of due) await performRun(id)
}

/** Without those that other tests have left behind. */
const selectDueRunsOf = statement<{ id: number }, { partnerId: number }>(
  'test_runs_due',
  `SELECT id FROM settlement_runs
    WHERE partner_id = :partnerId AND state = 'queued' AND not_before <= clock_timestamp()
    ORDER BY not_before, id`
)

/** Asks for a run as the product does: documents of the same data are not written twice. */
export function askFor<Kind extends RunKind>(
  { code: partnerCode }: Pick<TestPartner, 'code'>,
  kind: Kind,
  params: RunParams[Kind]
) {
  const asked = { kind, partnerCode, params, language: 'ru', actor: TESTER } as const
  return isDocument(kind)
    ? new RequestDocument().handle(asked as never)
    : new AskForRun().handle<Kind>(asked)
}

export interface RunRow {
  state: string
  attempts: number
  claim: string | null
  result: Record<string, unknown> | null
  error: { code: string; details?: object } | null
  progress: { phase: string; rowsDone: number; rowsTotal: number } | null
  kept_until: Date | null
}

export const runRow = async (id: number) =>
  (await one('SELECT * FROM settlement_runs WHERE id = ?', id)) as unknown as RunRow

/** Waits until the run is so. */
export async function untilRun(id: number, isSo: (row: RunRow) => boolean) {
  while (!isSo(await runRow(id))) await sleep(20)
}

export const filesOf = async (id: number) =>
  (await rows(
    'SELECT name, rows, bytes::int AS bytes, sha256 FROM settlement_run_files WHERE run_id = ? ORDER BY id',
    id
  )) as { name: string; rows: number | null; bytes: number; sha256: string }[]
