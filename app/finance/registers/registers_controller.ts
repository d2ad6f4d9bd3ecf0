import { casePeople } from '#finance/cases/read_case'
import { lastPeriod, listRegisters } from '#finance/registers/list_registers'
import { listMatches } from '#finance/registers/list_matches'
import { readFutureCases } from '#finance/registers/read_future_cases'
import { readHead, readObstacles, readSuggestions, setupOf } from '#finance/registers/read_register'
import { askerOf, readWork } from '#finance/registers/register_work'
import { quarantine, refusedPartOf } from '#finance/registers/register_uploads'
import { dropValidator, uploadValidator } from '#finance/registers/register_validators'
import {
  MATCH_FILTERS,
  type RegisterPage,
  type RegistersPage,
} from '#finance/registers/registers_props'
import { findPartner } from '#partners/queries/find_partner'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import { filtersOf } from '#staff_area/lists'
import type { ServerProps } from '#staff_area/page_props'
import { receiveFile } from '#staff_area/upload'
import DropRegister from '#reconciliation/actions/drop_register'
import UploadRegister, { MAX_REGISTER_BYTES } from '#reconciliation/actions/upload_register'
import { findRegister } from '#reconciliation/store/find_register'
import { findSource, listSources } from '#reconciliation/store/register_source'
import { periodOfDays } from '#shared/days'
import { Refusal } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import { rm } from 'node:fs/promises'

export default class RegistersController {
  async index(ctx: HttpContext) {
    const { id, ...partner } = await findPartner(String(ctx.params.code))
    const filters = filtersOf(ctx, ['state'])
    const [registers, sources, period] = await Promise.all([
      listRegisters({ id, state: filters.state }),
      listSources(id),
      lastPeriod(id),
    ])
    const refused = ctx.session.flashMessages.get('registerRefused') as RegistersPage['refused']
    return ctx.inertia.render('registers/index', {
      partner,
      registers,
      filters,
      sources: sources.map(({ id: sourceId, name }) => ({ id: sourceId, name })),
      period,
      refused: refused ?? null,
      limit: MAX_REGISTER_BYTES,
    } satisfies ServerProps<RegistersPage>)
  }

  async store(ctx: HttpContext) {
    const partnerCode = String(ctx.params.code)
    const file = await receiveFile(ctx, 'file', MAX_REGISTER_BYTES, quarantine)
    try {
      const { from, to, ...given } = await ctx.request.validateUsing(uploadValidator)
      const { declaredRows = null, declaredTenge = null, sourceId, sourceName } = given
      const { registerId, isNew } = await new UploadRegister().handle({
        partnerCode,
        path: file.path,
        fileName: file.name,
        declaredRows,
        sourceId: sourceId ?? undefined,
        sourceName: sourceName ?? undefined,
        actor: ctx.actor,
        ...periodOfDays({ from, to }),
        declaredTenge: declaredTenge === null ? null : BigInt(declaredTenge),
      })
      const path = `/back-office/registers/${registerId}${isNew ? '/mapping' : ''}`
      return redirectWithNotice(ctx, isNew ? 'registers.uploaded' : 'registers.same_file', {}, path)
    } catch (error) {
      await rm(file.path, { force: true })
      return showUnreadable(ctx, error, file.name)
    }
  }

  async show(ctx: HttpContext) {
    const register = await findRegister(idOf(ctx, 'register'))
    if (register.state === 'uploaded') {
      // The notice of the previous request is shown on that page.
      ctx.session.reflash()
      return ctx.response.redirect().toPath(`/back-office/registers/${register.id}/mapping`)
    }
    const filters = filtersOf(ctx, MATCH_FILTERS)
    const hasCases = ['matched', 'confirmed', 'replaced'].includes(register.state)
    return ctx.inertia.render('registers/show', {
      register: () => readHead(register),
      filters,
      matches: hasCases ? () => listMatches(register.id, filters, ctx.actor.name) : null,
      suggestions: () => readSuggestions(register.id),
      people: casePeople,
      work: () => readWork(register),
      obstacles: () => readObstacles(register),
      // Only the dialog that confirms the register shows them, and asks for them when it opens.
      futureCases: ctx.inertia.optional(() => readFutureCases(register)),
      source: async () => setupOf(await findSource(register.sourceId)),
      words: register.control?.words ?? [],
      refusedPart: refusedPartOf(ctx),
      replacedBy: () => nameOfRegister(register.replacedBy),
    } satisfies ServerProps<RegisterPage>)
  }

  async destroy(ctx: HttpContext) {
    const { version, reason } = await ctx.request.validateUsing(dropValidator)
    const registerId = idOf(ctx, 'register')
    const { partnerCode } = await findRegister(registerId)
    await new DropRegister().handle({ registerId, version, reason, ...askerOf(ctx) })
    return redirectWithNotice(
      ctx,
      'registers.dropped',
      {},
      `/back-office/settlement/${partnerCode}/registers`
    )
  }
}

async function nameOfRegister(registerId: number | null) {
  if (registerId === null) return null
  const { id, fileName } = await findRegister(registerId)
  return { id, fileName }
}

/** Flashes the place in the file and the reason; the error of a form field has no room for them. */
function showUnreadable(ctx: HttpContext, error: unknown, file: string) {
  if (!(error instanceof Refusal) || error.refusalCode !== 'REGISTER_UNREADABLE') throw error
  ctx.session.flash('registerRefused', { file: file.slice(0, 200), ...error.details })
  return ctx.response.redirect().back()
}
