import type { PartnerChoice } from '#staff_area/partner_choices'
import type { Rhythm } from '#reporting/schedules/rhythm'
import type { Language } from '#shared/languages'

export type { Rhythm } from '#reporting/schedules/rhythm'

/** A report that is made and sent regularly. */
export interface ScheduleLine extends Rhythm {
  id: number
  /** The partner's code. */
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
  /** Mails of the last run. */
  sent: number
  failed: number
  createdBy: string
  version: number
}

export interface SchedulesPage {
  schedules: ScheduleLine[]
  partners: PartnerChoice[]
  isMailOn: boolean
}
