import { periodOf } from '~/components/settlement/period'
import { namedIn, t } from '~/texts/texts'

/** A long piece of work that somebody asked for and a worker does. */
export interface Run {
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

export const isOver = ({ state }: Pick<Run, 'state'>) => state !== 'queued' && state !== 'running'

/** What it is about: days, a statement, a file, or nothing that its kind does not say. */
export function subjectOf({ params, statement }: Pick<Run, 'params' | 'statement'>): string {
  const { from, to, fileName, registerId, base, candidate } = params
  if (typeof fileName === 'string') return fileName
  if (statement !== null) return statement
  if (typeof registerId === 'number') return t('registers.register', { id: registerId })
  if (typeof from !== 'string' || typeof to !== 'string') return ''
  const period = periodOf(from, to)
  if (typeof base !== 'number' || typeof candidate !== 'number') return period
  return `${t('rules.versions', { base, candidate })}, ${period}`
}

/** From 0 to 100; null while nobody knows how much there is. */
export const percentOf = ({ progress }: Pick<Run, 'progress'>): number | null =>
  progress && progress.rowsTotal > 0
    ? Math.min(100, Math.floor((100 * progress.rowsDone) / progress.rowsTotal))
    : null

/** Sheets are named as they are. */
export const phaseOf = ({ phase }: { phase: string }) =>
  namedIn(['run_phases', 'register_phases'], phase)

/** Why a run has failed: its own end, or a refusal of what it was to do. */
export const errorWords = (code: string) => namedIn(['run_errors', 'refused'], code)

export const tookOf = ({ startedAt, finishedAt }: Run): string | null => {
  if (!startedAt || !finishedAt) return null
  const seconds = Math.max(1, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000))
  return seconds < 120
    ? t('runs.seconds', { seconds })
    : t('runs.minutes', { minutes: Math.round(seconds / 60) })
}
