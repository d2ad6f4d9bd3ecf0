import { listRuns } from '#finance/runs/list_runs'
import { findRun, readRunFiles } from '#finance/runs/read_run'
import { RUN_FILTERS, type RunPage, type RunsPage } from '#finance/runs/runs_props'
import { partnerChoices } from '#staff_area/partner_choices'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import { filtersOf } from '#staff_area/lists'
import type { ServerProps } from '#staff_area/page_props'
import { may } from '#staff_area/permissions'
import CancelRun from '#runs/cancel_run'
import { RUN_KINDS } from '#runs/run_params'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class RunsController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, RUN_FILTERS)
    return ctx.inertia.render('runs/index', {
      filters,
      runs: () => listRuns(filters),
      partners: () => partnerChoices({}),
      kinds: RUN_KINDS,
    } satisfies ServerProps<RunsPage>)
  }

  async show(ctx: HttpContext) {
    const run = await findRun(idOf(ctx, 'run'))
    const files = await readRunFiles(run)
    return ctx.inertia.render('runs/show', {
      run,
      files,
      mayCancel: mayCancel(ctx, run),
    } satisfies ServerProps<RunPage>)
  }

  async cancel(ctx: HttpContext) {
    const run = await findRun(idOf(ctx, 'run'))
    if (!mayCancel(ctx, run)) refuse('NO_SUCH', { what: 'run of yours' })
    await new CancelRun().handle({ runId: run.id, actor: ctx.actor })
    return redirectWithNotice(ctx, 'runs.cancelled')
  }
}

/** One's own run, or any with the right to manage: a run may close a period. */
const mayCancel = ({ auth, actor }: HttpContext, run: { askedBy: string }) =>
  run.askedBy === actor.name || may(auth.use('staff').getUserOrFail().role, 'settlement.manage')
