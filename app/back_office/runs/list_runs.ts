import { PAGE_SIZE, stretch, type Stretch } from '#back_office/shell/lists'
import db from '@adonisjs/lucid/services/db'

export const RUN_FILTERS = ['partner', 'kind', 'state', 'before'] as const
export type RunFilters = Record<(typeof RUN_FILTERS)[number], string | null>

export type RunLine = {
  id: number
  kind: string
  partner: string | null
  partnerName: string | null
  params: Record<string, unknown>
  language: string
  state: string
  progress: { phase: string; rowsDone: number; rowsTotal: number } | null
  askedAt: string
  askedBy: string
  startedAt: string | null
  finishedAt: string | null
}

/** Runs, the newest first. */
export async function listRuns(filters: RunFilters): Promise<Stretch<RunLine>> {
  const query = db
    .from('settlement_runs as r')
    .leftJoin('partners as p', 'p.id', 'r.partner_id')
    .select('r.id', 'r.kind', 'r.params', 'r.language', 'r.state', 'r.progress')
    .select('p.code as partner', 'p.name as partnerName', 'r.asked_by as askedBy')
    .select('r.asked_at as askedAt', 'r.started_at as startedAt', 'r.finished_at as finishedAt')
    .orderBy('r.id', 'desc')
    .limit(PAGE_SIZE + 1)
  if (filters.partner) query.where('p.code', filters.partner)
  if (filters.kind) query.where('r.kind', filters.kind)
  if (filters.state) query.where('r.state', filters.state)
  if (/^\d{1,9}$/.test(filters.before ?? '')) query.where('r.id', '<', Number(filters.before))
  return stretch((await query) as RunLine[], ({ id }) => String(id), filters.before)
}
