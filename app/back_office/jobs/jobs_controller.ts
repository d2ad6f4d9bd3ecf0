import type { ServerProps } from '#staff_area/page_props'
import type { JobsPage } from '#back_office/jobs/jobs_props'
import { queues, readQueues, readSchedule, selectWorkers } from '#back_office/jobs/read_jobs'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class JobsController {
  async index({ inertia }: HttpContext) {
    const [schedule, workers, lines] = await Promise.all([
      readSchedule(),
      selectWorkers({}),
      readQueues(),
    ])
    return inertia.render('jobs/index', {
      schedule,
      workers,
      queues: lines,
    } satisfies ServerProps<JobsPage>)
  }

  /** Every job may run twice, so a retry is harmless. */
  async retry(ctx: HttpContext) {
    const { queue: name, id } = ctx.params as { queue: string; id: string }
    const queue = Object.values(queues()).find((each) => each.name === name)
    const job = await queue?.getJob(id)
    if (!job || !(await job.isFailed())) refuse('NO_SUCH', { what: 'failed job' })
    await job.retry()
    return redirectWithNotice(ctx, 'jobs.retried')
  }
}
