import { fieldWords } from '#http/errors/field_words'
import { renderProblem } from '#http/errors/problem_page'
import { CLIENT_CLOSED_REQUEST, isAbandoned } from '#http/exchange'
import { answerAs } from '#http/answer_policy'
import { answerSignedOut, isRequestOfOpenPage } from '#http/signed_out'
import { busyReason } from '#shared/busy'
import { logRepeated } from '#shared/repeated_log'
import { Refusal, type FieldProblem, type RefusalCode } from '#shared/refusals'
import { Exception } from '@adonisjs/core/exceptions'
import { ExceptionHandler, type HttpContext } from '@adonisjs/core/http'
import type { StatusPageRange, StatusPageRenderer } from '@adonisjs/core/types/http'
import app from '@adonisjs/core/services/app'

const JSON_DOORS = /^\/api\//
const BACK_OFFICE = /^\/back-office\//
const BUSY_SECONDS = 1
const FAILED = 'request failed'

const SIGNED = 'HMAC-SHA256 realm="partner API", headers="X-Api-Key X-Timestamp X-Signature"'
/** How to authenticate, with every 401 (RFC 9110, 11.6.1). Schemes of our own: no browser opens a dialog for them. */
const SCHEMES: Partial<Record<RefusalCode, string>> = {
  INVALID_API_KEY: SIGNED,
  INVALID_SIGNATURE: SIGNED,
  INVALID_GATE_KEY: 'Gate-Key realm="gate", header="X-Gate-Key"',
}

/** Renders errors in the format of each door; the only file that knows several doors. */
export default class Handler extends ExceptionHandler {
  protected debug = !app.inProduction
  protected renderStatusPages = true
  protected statusPages: Record<StatusPageRange, StatusPageRenderer> = {
    '400..499': renderProblem,
    // In development the framework shows the stack trace instead.
    ...(app.inProduction && { '500..599': renderProblem }),
  }

  async handle(error: unknown, ctx: HttpContext) {
    if (isAbandoned(error, ctx)) return ctx.response.status(CLIENT_CLOSED_REQUEST).send('')
    if (error instanceof Refusal && BACK_OFFICE.test(ctx.request.url()))
      return redirectWithErrors(error, ctx)
    if (isExpiredForm(error) && BACK_OFFICE.test(ctx.request.url()))
      return isSignIn(ctx) || !isRequestOfOpenPage(ctx)
        ? redirectToExpiredForm(ctx)
        : answerSignedOut(ctx)
    if (!JSON_DOORS.test(ctx.request.url()))
      return super.handle(this.#asUnavailable(error, ctx), ctx)
    const refusal = toRefusal(error)
    if (refusal.status! >= 500) logRepeated(ctx.logger, 'error', FAILED, error)
    return this.#answer(refusal, ctx)
  }

  async report(error: unknown, ctx: HttpContext) {
    if (error instanceof Refusal || JSON_DOORS.test(ctx.request.url())) return
    if (isAbandoned(error, ctx)) return
    const { status = 500 } = error as { status?: number }
    if (status >= 500) return logRepeated(ctx.logger, 'error', FAILED, error)
    return super.report(error, ctx)
  }

  /** For browsers: 503 instead of 500 when the same request may succeed in a moment. */
  #asUnavailable(error: unknown, { response }: HttpContext): unknown {
    if (!busyReason(error)) return error
    response.header('Retry-After', String(BUSY_SECONDS))
    return new Exception('The service is busy', { status: 503, code: 'E_BUSY', cause: error })
  }

  async renderErrorAsHTML(...[error, ctx]: Parameters<ExceptionHandler['renderErrorAsHTML']>) {
    answerAs('developer_page', ctx.response.response)
    return super.renderErrorAsHTML(error, ctx)
  }

  /** The error envelope of the contract. */
  #answer({ refusalCode: code, message, details, status }: Refusal, ctx: HttpContext) {
    const { response } = ctx
    // The operation may have named another kind already.
    answerAs('data', response.response)
    ctx.refusalCode = code
    const { retry_after: retryAfter, ...shownDetails } = details
    if (retryAfter !== undefined) response.header('Retry-After', String(retryAfter))
    const scheme = SCHEMES[code]
    if (scheme) response.header('WWW-Authenticate', scheme)
    response.status(status!)
    response.header('Content-Type', 'application/json; charset=utf-8')
    return response.send(JSON.stringify({ error: { code, message, details: shownDetails } }))
  }
}

/** Staff go back to the form, with the error and what they typed; a GET shows the page "not found". */
async function redirectWithErrors({ refusalCode, details, status }: Refusal, ctx: HttpContext) {
  ctx.refusalCode = refusalCode
  if (ctx.request.method() === 'GET') {
    ctx.response.status(status!)
    return ctx.response.send(await ctx.inertia.render('refusals/not_found', {}))
  }
  const fields = (details.fields ?? []) as FieldProblem[]
  const ofFields = fields.map((problem) => [problem.field, [fieldWords(problem)]])
  const form = fields.length > 0 ? {} : { form: [`refused.${refusalCode}`] }
  ctx.session.flash('inputErrorsBag', { ...form, ...Object.fromEntries(ofFields) })
  if (refusalCode === 'STALE' && details.by) ctx.session.flash('changedBy', details)
  return ctx.response.redirect().withQs().back()
}

const isExpiredForm = (error: unknown) => (error as { code?: string }).code === 'E_BAD_CSRF_TOKEN'

const isSignIn = ({ request }: HttpContext) => request.url().startsWith('/back-office/sign-in')

/** The form is from a session that has ended: back to it with what was typed, to be submitted again. */
function redirectToExpiredForm({ response, session }: HttpContext) {
  session.flash('inputErrorsBag', { form: ['refused.FORM_EXPIRED'] })
  // 303, so that the browser follows a PUT or DELETE with a GET.
  return response.status(303).redirect().withQs().back()
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (busyReason(error)) return new Refusal('SERVICE_BUSY', { retry_after: BUSY_SECONDS })
  if ((error as { code?: RefusalCode }).code === ('E_ROUTE_NOT_FOUND' as never))
    return new Refusal('NOT_FOUND')
  return new Refusal('INTERNAL_ERROR')
}
