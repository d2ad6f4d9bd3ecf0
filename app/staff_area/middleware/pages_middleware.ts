import en from '#resources/lang/en/back_office.json' with { type: 'json' }
import kk from '#resources/lang/kk/back_office.json' with { type: 'json' }
import ru from '#resources/lang/ru/back_office.json' with { type: 'json' }
import { may, ABILITIES } from '#staff_area/permissions'
import type { Band, ChangedBy, Notice } from '#staff_area/shared_props'
import platform from '#config/platform'
import { isRestoreOpen } from '#shared/selling_mark'
import { answerWithNonce } from '#http/answer_policy'
import { languageOf } from '#staff_area/language_of'
import { loadStaffSession } from '#staff_area/sign_in/staff_session'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import BaseInertiaMiddleware from '@adonisjs/inertia/inertia_middleware'

const TEXTS = { ru, kk, en }

/** An alias, because Inertia's types of JSON accept no interface. */
type NoticeProp = Pick<Notice, keyof Notice>

/** Gives every page of the back office its shared props, and the document its language, theme and policy. */
export default class PagesMiddleware extends BaseInertiaMiddleware {
  async share(ctx: HttpContext) {
    const staff = ctx.auth.use('staff').user
    return {
      errors: ctx.inertia.always(this.getValidationErrors(ctx)),
      language: languageOf(ctx),
      signedIn: staff
        ? { id: staff.id, name: staff.name, email: staff.email, role: staff.role }
        : null,
      notice: ctx.inertia.always(
        (ctx.session.flashMessages.get('notice') as NoticeProp | undefined) ?? null
      ),
      changedBy: ctx.inertia.always(
        (ctx.session.flashMessages.get('changedBy') as ChangedBy | undefined) ?? null
      ),
      bands: await bandsOf(),
      abilities: staff ? ABILITIES.filter((ability) => may(staff.role, ability)) : [],
    }
  }

  async handle(ctx: HttpContext, next: NextFn) {
    await loadStaffSession(ctx)
    await this.init(ctx)
    const cspNonce = answerWithNonce('staff_page', ctx.response.response)
    const language = languageOf(ctx)
    const description = TEXTS[language].sign_in.lead
    ctx.view.share({ language, description, theme: themeOf(ctx), cspNonce })
    const output = await next()
    this.dispose(ctx)
    // The page's own `Vary` names more than Inertia's, which would replace it.
    ctx.response.header('Vary', String(ctx.response.response.getHeader('Vary')))
    return output
  }
}

/** Without PostgreSQL no page is drawn that would need the band. */
async function bandsOf(): Promise<Band[]> {
  const isRestored = await isRestoreOpen().catch(() => false)
  return [
    ...(platform.isQuiet ? (['quiet'] as const) : []),
    ...(isRestored ? (['restored'] as const) : []),
  ]
}

function themeOf({ request }: HttpContext) {
  const chosen = request.plainCookie('theme', { encoded: false })
  return chosen === 'dark' || chosen === 'light' ? chosen : null
}

declare module '@adonisjs/inertia/types' {
  type MiddlewareSharedProps = InferSharedProps<PagesMiddleware>
  export interface SharedProps extends MiddlewareSharedProps {}
}
