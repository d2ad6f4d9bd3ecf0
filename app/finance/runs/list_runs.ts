import type { RunFilters, RunLine } from '#finance/runs/runs_props'
import { PAGE_SIZE, listPage, readIdCursor } from '#staff_area/lists'
import type { WithDates } from '#staff_area/page_props'
import { statementNumber } from '#ledger/statement_status'
import db from '@adonisjs/lucid/services/db'

/** The params of a run have the id of a statement; people know the statement by its number. */
export const JOIN_STATEMENT = `LEFT JOIN settlement_statements st ON st.id = (r.params ->> 'statementId')::integer`

type Moments = 'askedAt' | 'startedAt' | 'finishedAt'
export type RunRow = Omit<WithDates<RunLine, Moments>, 'statement'> & {
  statementNumber: number | null
}
export const lineOf = <Row extends { statementNumber: number | null }>({
  statementNumber: number,
  ...line
}: Row) => ({
  ...line,
  statement: number === null ? null : statementNumber(number),
})

/** Runs, the newest first. */
export async function listRuns(filters: RunFilters) {
  const query = db
    .from('settlement_runs as r')
    .leftJoin('partners as p', 'p.id', 'r.partner_id')
    .joinRaw(JOIN_STATEMENT)
    .select('r.id', 'r.kind', 'r.params', 'r.language', 'r.state', 'r.progress')
    .select(
      'p.code as partner',
      'p.name as partnerName',
      'r.asked_by as askedBy',
      'st.number as statementNumber'
    )
    .select('r.asked_at as askedAt', 'r.started_at as startedAt', 'r.finished_at as finishedAt')
    .orderBy('r.id', 'desc')
    .limit(PAGE_SIZE + 1)
  if (filters.partner) query.where('p.code', filters.partner)
  if (filters.kind) query.where('r.kind', filters.kind)
  if (filters.state) query.where('r.state', filters.state)
  const before = readIdCursor(filters.before)
  if (before !== null) query.where('r.id', '<', before)
  const rows = (await query) as RunRow[]
  return listPage(rows.map(lineOf), ({ id }) => String(id), before)
}
