import { answerAs } from '#http/answer_policy'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** Sets the headers of a public page, which loads only our own files. */
export default class PagePolicyMiddleware {
  handle({ response }: HttpContext, next: NextFn) {
    answerAs('page', response.response)
    return next()
  }
}
