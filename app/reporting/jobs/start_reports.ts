import { lastDue, nextDue } from '#reporting/schedules/rhythm'
import { findSchedule } from '#reporting/schedules/schedules'
import { startReport } from '#reporting/schedules/start_report'
import { CLOCK } from '#shared/actor'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import logger from '@adonisjs/core/services/logger'

const selectDueSchedules = statement<{ id: number }, { now: Date }>(
  'report_schedules_due',
  'SELECT id FROM report_schedules WHERE is_active AND next_at <= :now ORDER BY next_at LIMIT 20'
)
/** No row when another worker has started it, or somebody has paused it. */
const claimSchedule = statement<{ id: number }, { id: number; now: Date; nextAt: Date }>(
  'report_schedule_claim',
  `UPDATE report_schedules SET next_at = :nextAt
    WHERE id = :id AND is_active AND next_at <= :now RETURNING id`
)

/** Starts the scheduled reports that are due. */
export default async function startReports(): Promise<void> {
  await startDueReports(new Date())
}

/** Starts each due report once, however many workers do this. Of several missed moments only the latest is made up for. */
export async function startDueReports(now: Date): Promise<void> {
  for (const { id } of await selectDueSchedules({ now })) {
    // One that cannot be started must not block the others.
    await startOne(id, now).catch((error: unknown) =>
      logger.error({ err: error, schedule: id }, 'a scheduled report was not started')
    )
  }
}

const startOne = (id: number, now: Date) =>
  transaction(async (trx) => {
    const schedule = await findSchedule.first({ id }, trx)
    if (!schedule) return
    const claimed = await claimSchedule.first({ id, now, nextAt: nextDue(schedule, now) }, trx)
    if (!claimed) return
    await startReport(schedule, { at: lastDue(schedule, now), actor: CLOCK }, trx)
  })
