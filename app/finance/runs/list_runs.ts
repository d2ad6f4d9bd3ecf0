import { PAGE_SIZE, listPage, type ListPage } from '#staff_area/lists'
import { statementNumber } from '#ledger/statement_status'
import db from '@adonisjs/lucid/services/db'

export const RUN_FILTERS = ['partner', 'kind', 'state', 'before'] as const
export type RunFilters = Record<(typeof RUN_FILTERS)[number], string | null>

export type RunLine = {
  id: number
  kind: string
  partner: string | null
  partnerName: string | null
  params: Record<string, unknown>
  /** The number of the statement that its params mean. */
  statement: string | null
  language: string
  state: string
  progress: { phase: string; rowsDone: number; rowsTotal: number } | null
  askedAt: string
  askedBy: string
  startedAt: string | null
  finishedAt: string | null
}

/** What a run's params mean by an id, people know by its number. */
export const THEIR_STATEMENT = `LEFT JOIN settlement_statements st ON st.id = (r.params ->> 'statementId')::integer`

/** A run as it is selected. */
export type RunRow<Line extends RunLine = RunLine> = Omit<Line, 'statement'> & {
  drawn: number | null
}
export const lineOf = <Row extends { drawn: number | null }>({ drawn, ...line }: Row) => ({
  ...{ ...line, statement: drawn === null ? null : statementNumber(drawn) },
})

/** Runs, the newest first. */
export async function listRuns(filters: RunFilters): Promise<ListPage<RunLine>> {
  const query = db
    .from('settlement_runs as r')
    .leftJoin('partners as p', 'p.id', 'r.partner_id')
    .joinRaw(THEIR_STATEMENT)
    .select('r.id', 'r.kind', 'r.params', 'r.language', 'r.state', 'r.progress')
    .select(
      'p.code as partner',
      'p.name as partnerName',
      'r.asked_by as askedBy',
      'st.number as drawn'
    )
    .select('r.asked_at as askedAt', 'r.started_at as startedAt', 'r.finished_at as finishedAt')
    .orderBy('r.id', 'desc')
    .limit(PAGE_SIZE + 1)
  if (filters.partner) query.where('p.code', filters.partner)
  if (filters.kind) query.where('r.kind', filters.kind)
  if (filters.state) query.where('r.state', filters.state)
  if (/^\d{1,9}$/.test(filters.before ?? '')) query.where('r.id', '<', Number(filters.before))
  const rows = (await query) as RunRow[]
  return listPage(rows.map(lineOf), ({ id }) => String(id), filters.before)
}
