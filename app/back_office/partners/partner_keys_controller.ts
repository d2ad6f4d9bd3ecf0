import { rotationValidator } from '#back_office/partners/partner_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { flashSecret } from '#staff_area/flash_secret'
import IssueKey from '#partners/actions/issue_key'
import RevokeKey from '#partners/actions/revoke_key'
import RotateKey from '#partners/actions/rotate_key'
import type { HttpContext } from '@adonisjs/core/http'

/** A partner's API keys; a new secret is shown once, on the next page. */
export default class PartnerKeysController {
  async store(ctx: HttpContext) {
    const partnerCode = String(ctx.params.code)
    flashSecret(ctx, await new IssueKey().handle({ partnerCode, actor: ctx.actor }))
    return redirectWithNotice(ctx, 'partners.key_issued')
  }

  async rotate(ctx: HttpContext) {
    const { expiresAt } = await ctx.request.validateUsing(rotationValidator)
    const pair = await new RotateKey().handle({
      partnerCode: String(ctx.params.code),
      apiKey: String(ctx.params.key),
      expiresAt: new Date(expiresAt),
      actor: ctx.actor,
    })
    flashSecret(ctx, pair)
    return redirectWithNotice(ctx, 'partners.key_rotated')
  }

  async destroy(ctx: HttpContext) {
    const { code: partnerCode, key: apiKey } = ctx.params as { code: string; key: string }
    await new RevokeKey().handle({ partnerCode, apiKey, actor: ctx.actor })
    return redirectWithNotice(ctx, 'partners.key_revoked')
  }
}
