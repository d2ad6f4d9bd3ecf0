import type { Rhythm } from '#finance/report_schedules/report_schedules_props'
import { named, t } from '~/texts/texts'

export const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** `Mondays at 09:00`. */
export function rhythmOf({ every, day, hour }: Rhythm): string {
  const at = hourText(hour)
  if (every === 'week')
    return t('report_schedules.weekly', { day: named('weekdays', String(day)), at })
  if (every === 'month') return t('report_schedules.monthly', { day: day ?? 1, at })
  return t('report_schedules.daily', { at })
}
