import { readFigures, readMonths } from '#finance/cases/case_figures'
import { undoOfChange } from '#finance/cases/case_undo'
import { caseChangeValidator, casesChangeValidator } from '#finance/cases/case_validators'
import { CASE_FILTERS, type CasePage, type CasesPage } from '#finance/cases/cases_props'
import { listCases } from '#finance/cases/list_cases'
import { readPrecision } from '#finance/cases/read_precision'
import { casePeople, readCase } from '#finance/cases/read_case'
import { partnerChoices } from '#staff_area/partner_choices'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { redirectWithUndo } from '#staff_area/undo'
import { may } from '#staff_area/permissions'
import { idOf } from '#staff_area/id_of'
import { filtersOf } from '#staff_area/lists'
import type { ServerProps } from '#staff_area/page_props'
import ChangeCase, { ChangeCases, type CaseChange } from '#case_work/change_case'
import type { HttpContext } from '@adonisjs/core/http'

export default class CasesController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, CASE_FILTERS)
    return ctx.inertia.render('cases/index', {
      filters,
      cases: () => listCases(filters, ctx.actor.name),
      figures: () => readFigures(filters, ctx.actor.name),
      partners: () => partnerChoices({}),
      people: casePeople,
      // Both read the cases of a whole year.
      months: ctx.inertia.defer(() => readMonths()),
      precision: ctx.inertia.defer(() => readPrecision(null)),
    } satisfies ServerProps<CasesPage>)
  }

  async show(ctx: HttpContext) {
    const viewer = ctx.auth.use('staff').getUserOrFail()
    const page = await readCase(idOf(ctx, 'case'))
    // Corrections and penalties of a partner are for those who may read settlement.
    const hidden = may(viewer.role, 'settlement.read') ? {} : { memos: [], penaltyTenge: 0 }
    return ctx.inertia.render('cases/show', {
      ...page,
      kase: { ...page.kase, isMine: page.kase.ownerId === viewer.id },
      ...hidden,
    } satisfies ServerProps<CasePage>)
  }

  async update(ctx: HttpContext) {
    const { version, ...asked } = await ctx.request.validateUsing(caseChangeValidator)
    const change = changeOf(asked)
    const caseId = idOf(ctx, 'case')
    const { actor } = ctx
    const changed = await new ChangeCase().handle({ caseId, version, change, actor })
    return redirectWithUndo(ctx, 'cases.changed', { id: caseId }, undoOfChange(changed))
  }

  /** The same change for many cases. */
  async updateMany(ctx: HttpContext) {
    const { cases, ...asked } = await ctx.request.validateUsing(casesChangeValidator)
    const change = changeOf(asked)
    const { changed, left } = await new ChangeCases().handle({ cases, change, actor: ctx.actor })
    const values = { changed: changed.length, left: left.join(', ') }
    return redirectWithNotice(
      ctx,
      left.length > 0 ? 'cases.changed_some' : 'cases.changed_all',
      values
    )
  }
}

type Asked = Omit<CaseChange, 'owner' | 'reason'> & { owner?: string; reason?: string | null }

function changeOf({ owner, reason = null, ...change }: Asked): CaseChange {
  if (owner === undefined) return { ...change, reason }
  const isWord = owner === 'me' || owner === 'none'
  return { ...change, reason, owner: isWord ? owner : Number(owner) }
}
