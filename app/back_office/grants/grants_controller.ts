import type { ServerProps } from '#staff_area/page_props'
import { GRANT_FILTERS, type GrantsPage } from '#back_office/grants/grants_props'
import { listGrants } from '#back_office/grants/list_grants'
import { messages, reason } from '#staff_area/form_fields'
import { partnerChoices } from '#staff_area/partner_choices'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { filtersOf } from '#staff_area/lists'
import ChangeGrants from '#partners/actions/change_grants'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const MOST = 1000
const LONGEST_ID = 64

const grantsValidator = vine.create({
  grants: vine
    .array(
      vine.object({
        partnerCode: vine.string().maxLength(LONGEST_ID),
        eventId: vine.string().maxLength(LONGEST_ID),
      })
    )
    .minLength(1)
    .maxLength(MOST),
  access: vine.enum(['active', 'revoked'] as const),
  reason: reason(),
})
grantsValidator.messagesProvider = messages

export default class GrantsController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, GRANT_FILTERS)
    const [matrix, choices] = await Promise.all([listGrants(filters), partnerChoices({})])
    return ctx.inertia.render('grants/index', {
      filters,
      ...matrix,
      choices,
    } satisfies ServerProps<GrantsPage>)
  }

  /** Many grants at once, all or none. */
  async update(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(grantsValidator)
    const { changed } = await new ChangeGrants().handle({ ...input, actor: ctx.actor })
    const unchanged = input.grants.length - changed
    const key = input.access === 'active' ? 'grants.given' : 'grants.revoked_done'
    return redirectWithNotice(ctx, unchanged > 0 ? `${key}_partly` : key, { changed, unchanged })
  }
}
