import { lastDue, nextDue } from '#reporting/schedules/rhythm'
import { claimSchedule, findSchedule, selectDueSchedules } from '#reporting/schedules/schedules'
import { startReport } from '#reporting/schedules/start_report'
import { CLOCK } from '#shared/actor'
import { transaction } from '#shared/transaction'
import logger from '@adonisjs/core/services/logger'

/** Starts what is due, each once, however many workers look; of the times that nobody was there for, only the latest. */
export async function startDueReports(now: Date): Promise<void> {
  for (const { id } of await selectDueSchedules({ now })) {
    // One that cannot be started must not keep the others from it.
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
