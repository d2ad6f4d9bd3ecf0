import { listSchedules } from '#finance/report_schedules/list_schedules'
import type { SchedulesPage } from '#finance/report_schedules/report_schedules_props'
import {
  scheduleChangeValidator,
  scheduleValidator,
  standingValidator,
} from '#finance/report_schedules/schedule_validators'
import { partnerChoices } from '#staff_area/partner_choices'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import type { ServerProps } from '#staff_area/page_props'
import { isMailOn } from '#mail/send'
import {
  ChangeSchedule,
  PauseSchedule,
  RemoveSchedule,
  RunSchedule,
  ScheduleReport,
} from '#reporting/schedules/actions/change_schedules'
import type { HttpContext } from '@adonisjs/core/http'

export default class SchedulesController {
  async index(ctx: HttpContext) {
    const [schedules, partners] = await Promise.all([listSchedules(), partnerChoices({})])
    return ctx.inertia.render('runs/schedules', {
      schedules,
      partners,
      isMailOn: isMailOn(),
    } satisfies ServerProps<SchedulesPage>)
  }

  async store(ctx: HttpContext) {
    const { partner, ...asked } = await ctx.request.validateUsing(scheduleValidator)
    await new ScheduleReport().handle({ ...asked, partnerCode: partner, actor: ctx.actor })
    return redirectWithNotice(ctx, 'report_schedules.created')
  }

  async change(ctx: HttpContext) {
    const asked = await ctx.request.validateUsing(scheduleChangeValidator)
    const scheduleId = idOf(ctx, 'report schedule')
    await new ChangeSchedule().handle({ ...asked, scheduleId, actor: ctx.actor })
    return redirectWithNotice(ctx, 'report_schedules.changed')
  }

  async update(ctx: HttpContext) {
    const { isActive } = await ctx.request.validateUsing(standingValidator)
    const scheduleId = idOf(ctx, 'report schedule')
    await new PauseSchedule().handle({ scheduleId, isActive, actor: ctx.actor })
    return redirectWithNotice(
      ctx,
      isActive ? 'report_schedules.resumed' : 'report_schedules.paused'
    )
  }

  /** Makes and sends the report once, outside its regular times. */
  async run(ctx: HttpContext) {
    const scheduleId = idOf(ctx, 'report schedule')
    const { recipients } = await new RunSchedule().handle({ scheduleId, actor: ctx.actor })
    if (recipients === 0) return redirectWithNotice(ctx, 'report_schedules.started_alone')
    return redirectWithNotice(ctx, 'report_schedules.started', { recipients })
  }

  async destroy(ctx: HttpContext) {
    await new RemoveSchedule().handle({
      scheduleId: idOf(ctx, 'report schedule'),
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, 'report_schedules.removed')
  }
}
