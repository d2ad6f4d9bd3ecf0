import { readConfirmHealth } from '#back_office/partners/confirm_health'
import { listPartners, soldToday } from '#back_office/partners/list_partners'
import {
  PARTNER_FILTERS,
  type PartnerPage,
  type PartnersPage,
} from '#back_office/partners/partners_props'
import type { ServerProps } from '#staff_area/page_props'
import { readTraffic } from '#back_office/partners/partner_traffic'
import {
  addressesValidator,
  limitsValidator,
  newPartnerValidator,
} from '#back_office/partners/partner_validators'
import {
  findPartnerFacts,
  readEndpoint,
  readGrants,
  readKeys,
  readUnderWay,
  readUsage,
} from '#back_office/partners/read_partner'
import { flashNotice, redirectWithNotice } from '#staff_area/redirect_with_notice'
import { filtersOf } from '#staff_area/lists'
import { takeFlashedSecret } from '#staff_area/flash_secret'
import type { KeyPair } from '#partners/api_key'
import ChangePartner from '#partners/actions/change_partner'
import CreatePartner from '#partners/actions/create_partner'
import { DEFAULT_SETTINGS } from '#partners/settings'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class PartnersController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, PARTNER_FILTERS)
    const today = ctx.inertia.defer(() => soldToday())
    return ctx.inertia.render('partners/index', {
      filters,
      partners: () => listPartners(filters),
      today,
      defaults: DEFAULT_SETTINGS,
    } satisfies ServerProps<PartnersPage>)
  }

  async show(ctx: HttpContext) {
    const { inertia, params } = ctx
    const partner = await findPartnerFacts(String(params.code))
    if (!partner) refuse('NO_SUCH', { what: 'partner' })
    const { id: partnerId } = partner
    return inertia.render('partners/show', {
      partner,
      keys: () => readKeys({ partnerId }),
      endpoint: async () => (await readEndpoint.first({ partnerId })) ?? null,
      underWay: () => readUnderWay.one({ partnerId }),
      grants: () => readGrants({ partnerId }),
      issuedKey: takeFlashedSecret<KeyPair>(ctx),
      usage: inertia.defer(() => readUsage({ partnerId })),
      traffic: inertia.defer(() => readTraffic(partner), 'traffic'),
      confirms: inertia.defer(() => readConfirmHealth(partnerId), 'confirms'),
    } satisfies ServerProps<PartnerPage>)
  }

  async store(ctx: HttpContext) {
    const { code, name, ...settings } = await ctx.request.validateUsing(newPartnerValidator)
    await new CreatePartner().handle({ code, name, settings, actor: ctx.actor })
    flashNotice(ctx, 'partners.created', { name })
    return ctx.response.redirect().toRoute('back_office.partner', { code })
  }

  async update(ctx: HttpContext) {
    const { version, reason, ...changes } = await ctx.request.validateUsing(limitsValidator)
    await this.#change(ctx, { version, reason, changes })
    return redirectWithNotice(ctx, 'partners.changed')
  }

  async addresses(ctx: HttpContext) {
    const { version, reason, ...changes } = await ctx.request.validateUsing(addressesValidator)
    await this.#change(ctx, { version, reason, changes })
    return redirectWithNotice(ctx, 'partners.addresses_set')
  }

  async #change(
    { actor, params }: HttpContext,
    input: { version: string; reason: string; changes: object }
  ) {
    await new ChangePartner().handle({ partnerCode: String(params.code), ...input, actor })
  }
}
