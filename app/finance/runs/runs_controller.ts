import { listRuns } from '#finance/runs/list_runs'
import { findRun, readRunFiles } from '#finance/runs/read_run'
import { RUN_FILTERS, type RunPage, type RunsPage } from '#finance/runs/runs_props'
import { partnerChoices } from '#staff_area/partner_choices'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import { filtersOf } from '#staff_area/lists'
import type { ServerProps } from '#staff_area/page_props'
import CancelRun from '#runs/cancel_run'
import { RUN_KINDS } from '#runs/run_params'
import type { HttpContext } from '@adonisjs/core/http'

export default class RunsController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, RUN_FILTERS)
    const [runs, partners] = await Promise.all([listRuns(filters), partnerChoices({})])
    return ctx.inertia.render('runs/index', {
      filters,
      runs,
      partners,
      kinds: RUN_KINDS,
    } satisfies ServerProps<RunsPage>)
  }

  async show(ctx: HttpContext) {
    const run = await findRun(idOf(ctx, 'run'))
    const files = await readRunFiles(run)
    return ctx.inertia.render('runs/show', { run, files } satisfies ServerProps<RunPage>)
  }

  async cancel(ctx: HttpContext) {
    await new CancelRun().handle({ runId: idOf(ctx, 'run'), actor: ctx.actor })
    return redirectWithNotice(ctx, 'runs.cancelled')
  }
}
