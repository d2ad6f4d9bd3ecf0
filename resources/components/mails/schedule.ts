import { named, t, type Language } from '~/texts/texts'

export interface Rhythm {
  every: string
  /** Of the week, from Monday, or of the month. */
  day: number | null
  hour: number
}

/** A report that is made and sent again and again. */
export interface Schedule extends Rhythm {
  id: number
  partner: string
  partnerName: string
  kind: string
  language: Language
  recipients: string[]
  isActive: boolean
  nextAt: string
  lastAt: string | null
  lastRunId: number | null
  lastRunState: string | null
  sent: number
  failed: number
  createdBy: string
  version: number
}

export const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** `Mondays at 09:00`. */
export function rhythmOf({ every, day, hour }: Rhythm): string {
  const at = hourText(hour)
  if (every === 'week')
    return t('report_schedules.weekly', { day: named('weekdays', String(day)), at })
  if (every === 'month') return t('report_schedules.monthly', { day: day ?? 1, at })
  return t('report_schedules.daily', { at })
}
