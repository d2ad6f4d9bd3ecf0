import { readFigures, readMonths } from '#back_office/cases/case_figures'
import { caseChangeValidator, casesChangeValidator } from '#back_office/cases/case_validators'
import { CASE_FILTERS, listCases } from '#back_office/cases/list_cases'
import { readPrecision } from '#back_office/cases/read_precision'
import { casePeople, readCase } from '#back_office/cases/read_case'
import { partnerChoices } from '#back_office/shell/choices'
import { done } from '#back_office/shell/done'
import { idOf } from '#back_office/shell/id_of'
import { filtersOf } from '#back_office/shell/lists'
import ChangeCase, { ChangeCases, type CaseChange } from '#defects/cases/change_case'
import type { HttpContext } from '@adonisjs/core/http'

export default class CasesController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, CASE_FILTERS)
    const [cases, figures, partners, people] = await Promise.all([
      ...([listCases(filters, ctx.actor.name), readFigures()] as const),
      ...([partnerChoices([]), casePeople()] as const),
    ])
    // Counts a year of them.
    const months = ctx.inertia.defer(() => readMonths())
    const precision = ctx.inertia.defer(() => readPrecision(null))
    const shown = { filters, cases, figures, partners, people, months, precision }
    return ctx.inertia.render('cases/index', shown)
  }

  async show(ctx: HttpContext) {
    return ctx.inertia.render('cases/show', await readCase(idOf(ctx, 'case')))
  }

  async update(ctx: HttpContext) {
    const { version, ...asked } = await ctx.request.validateUsing(caseChangeValidator)
    const change = changeOf(asked)
    const caseId = idOf(ctx, 'case')
    await new ChangeCase().handle({ caseId, version, change, actor: ctx.actor })
    return done(ctx, 'cases.changed', { id: caseId })
  }

  /** The same for many. */
  async updateMany(ctx: HttpContext) {
    const { cases, ...asked } = await ctx.request.validateUsing(casesChangeValidator)
    const change = changeOf(asked)
    const { changed, left } = await new ChangeCases().handle({ cases, change, actor: ctx.actor })
    const values = { changed: changed.length, left: left.map((id) => `№ ${id}`).join(', ') }
    return done(ctx, left.length > 0 ? 'cases.changed_some' : 'cases.changed_all', values)
  }
}

type Asked = Omit<CaseChange, 'owner' | 'reason'> & { owner?: string; reason?: string | null }

function changeOf({ owner, reason = null, ...change }: Asked): CaseChange {
  if (owner === undefined) return { ...change, reason }
  const isWord = owner === 'me' || owner === 'none'
  return { ...change, reason, owner: isWord ? owner : Number(owner) }
}
