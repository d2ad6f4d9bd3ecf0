import type { RunLine } from '#finance/runs/runs_props'
import { periodOf } from '~/components/settlement/period'
import { namedIn, t } from '~/texts/texts'

export const isOver = ({ state }: Pick<RunLine, 'state'>) =>
  state !== 'queued' && state !== 'running'

/** The subject of a run: days, a statement or a file; empty when its kind says enough. */
export function subjectOf({ params, statement }: Pick<RunLine, 'params' | 'statement'>): string {
  const { from, to, fileName, registerId, base, candidate } = params
  if (typeof fileName === 'string') return fileName
  if (statement !== null) return statement
  if (typeof registerId === 'number') return t('registers.register', { id: registerId })
  if (typeof from !== 'string' || typeof to !== 'string') return ''
  const period = periodOf(from, to)
  if (typeof base !== 'number' || typeof candidate !== 'number') return period
  return `${t('rules.versions', { base, candidate })}, ${period}`
}

/** From 0 to 100; null while the total is unknown. */
export const percentOf = ({ progress }: Pick<RunLine, 'progress'>): number | null =>
  progress && progress.rowsTotal > 0
    ? Math.min(100, Math.floor((100 * progress.rowsDone) / progress.rowsTotal))
    : null

/** The name of a phase; a sheet's name is shown as it is. */
export const phaseOf = ({ phase }: { phase: string }) =>
  namedIn(['run_phases', 'register_phases'], phase)

/** Why a run failed: an error of the run itself, or a refusal of its action. */
export const errorWords = (code: string) => namedIn(['run_errors', 'refused'], code)

export const tookOf = ({ startedAt, finishedAt }: RunLine): string | null => {
  if (!startedAt || !finishedAt) return null
  const seconds = Math.max(1, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000))
  return seconds < 120
    ? t('runs.seconds', { seconds })
    : t('runs.minutes', { minutes: Math.round(seconds / 60) })
}
