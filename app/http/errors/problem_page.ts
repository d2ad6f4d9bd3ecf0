import landingEn from '#resources/lang/en/landing.json' with { type: 'json' }
import landingKk from '#resources/lang/kk/landing.json' with { type: 'json' }
import landingRu from '#resources/lang/ru/landing.json' with { type: 'json' }
import en from '#resources/lang/en/problem.json' with { type: 'json' }
import kk from '#resources/lang/kk/problem.json' with { type: 'json' }
import ru from '#resources/lang/ru/problem.json' with { type: 'json' }
import { answerAs } from '#http/answer_policy'
import type { HttpContext } from '@adonisjs/core/http'

const TEXTS = {
  ru: { ...ru, page: landingRu },
  kk: { ...kk, page: landingKk },
  en: { ...en, page: landingEn },
}
const LANGUAGES = ['ru', 'kk', 'en'] as const

/** The error page for browsers, in the reader's language. */
export function renderProblem(
  { status }: { status?: number },
  { request, requestId, response, view }: HttpContext
) {
  answerAs('problem_page', response.response)
  const asked = request.language([...LANGUAGES]) as keyof typeof TEXTS | null
  const theme = request.plainCookie('theme', { encoded: false })
  return view.render('problem', {
    texts: TEXTS,
    asked: asked ?? 'ru',
    requestId,
    chosenTheme: theme === 'light' || theme === 'dark' ? theme : null,
    problem: status === 404 ? 'not_found' : 'failed',
    isStaff: /^\/back-office(\/|$)/.test(request.url()),
  })
}
