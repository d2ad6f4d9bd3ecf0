import { lookValidator, mappingValidator } from '#finance/registers/register_validators'
import { askForWork } from '#finance/registers/register_work'
import { refusedPartOf, showRefusedPart } from '#finance/registers/register_uploads'
import { readHead, readMapping, readSample, setupOf } from '#finance/registers/read_register'
import type { MappingPage } from '#finance/registers/registers_props'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import { filtersOf } from '#staff_area/lists'
import type { ServerProps } from '#staff_area/page_props'
import { readOnce } from '#staff_area/read_once'
import ChooseRegisterSheet from '#reconciliation/actions/choose_register_sheet'
import SetRegisterMapping from '#reconciliation/actions/set_register_mapping'
import { REGISTER_FIELDS } from '#register_reading/header_words'
import { findSource, listSources, readingOf } from '#reconciliation/store/register_source'
import { findRegister } from '#reconciliation/store/find_register'
import { refusalOfSource } from '#reconciliation/store/remembered_mappings'
import type { HttpContext } from '@adonisjs/core/http'

export default class RegisterMappingsController {
  async show(ctx: HttpContext) {
    const register = await findRegister(idOf(ctx, 'register'))
    const { headers, headerLine, titles, width, proposal } = register.preview
    const { columns } = filtersOf(ctx, ['columns'])
    const mapping = readMapping(columns) ?? register.mapping ?? proposal.mapping
    const source = readOnce(() => findSource(register.sourceId))
    const read = readOnce(async () =>
      readSample(register, mapping, readingOf(await source(), { ...register, mapping }))
    )
    return ctx.inertia.render('registers/mapping', {
      register: () => readHead(register),
      source: async () => setupOf(await source()),
      sources: async () => {
        const sources = await listSources(register.partnerId)
        return sources.map(({ id, name }) => ({ id, name }))
      },
      mapping,
      fields: REGISTER_FIELDS,
      beginning: { headers, headerLine, titles, width },
      refusedPart: refusedPartOf(ctx),
      proposal: async () => ({
        columns: proposal.columns,
        remembered: proposal.remembered,
        // A person has mapped the others.
        refusedBySource:
          register.mapping === null ? await refusalOfSource(register, headers) : null,
      }),
      sample: () => read().then(({ sample }) => sample),
      proposals: () => read().then(({ proposals }) => proposals),
      words: () => read().then(({ words }) => words),
    } satisfies ServerProps<MappingPage>)
  }

  /** Saves the mapping and asks for a run that reads the file by it; the run matches it too. */
  async update(ctx: HttpContext) {
    const { version, mapping } = await ctx.request.validateUsing(mappingValidator)
    const registerId = idOf(ctx, 'register')
    try {
      await new SetRegisterMapping().handle({ registerId, version, mapping, actor: ctx.actor })
    } catch (error) {
      return showRefusedPart(ctx, error)
    }
    await askForWork(ctx, 'read_register', await findRegister(registerId))
    return redirectWithNotice(ctx, 'registers.mapped', {}, `/back-office/registers/${registerId}`)
  }

  /** Looks at another sheet, or takes the names of the columns from another line. */
  async look(ctx: HttpContext) {
    const given = await ctx.request.validateUsing(lookValidator)
    const registerId = idOf(ctx, 'register')
    await new ChooseRegisterSheet().handle({ registerId, ...given })
    return ctx.response.redirect().toPath(`/back-office/registers/${registerId}/mapping`)
  }
}
