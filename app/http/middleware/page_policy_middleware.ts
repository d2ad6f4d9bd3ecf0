import { answerAs } from '#http/answer_policy'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** A public page: it loads our own files and nothing else. */
export default class PagePolicyMiddleware {
  handle({ response }: HttpContext, next: NextFn) {
    answerAs('page', response.response)
    return next()
  }
}
