import { SignInBudget } from '#staff_area/sign_in/sign_in_budget'
import { Refusal, refuseField, type FieldProblem } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const GUESSED = ['currentPassword', 'code']

/** Limits actions that ask for one's own password, like sign-ins; only wrong passwords and codes count. */
export async function limitGuesses<Result>(ctx: HttpContext, work: () => Promise<Result>) {
  const { id } = ctx.auth.use('staff').getUserOrFail()
  const budget = new SignInBudget(ctx.request.ip(), 'own_password', { id })
  if ((await budget.spend()) > 0)
    refuseField('currentPassword', 'throttled', 'account.too_many_tries')
  try {
    const result = await work()
    await budget.restore()
    return result
  } catch (error) {
    if (!isGuess(error)) await budget.restore()
    throw error
  }
}

function isGuess(error: unknown) {
  if (!(error instanceof Refusal)) return false
  const fields = (error.details.fields ?? []) as FieldProblem[]
  return fields.some(({ field, rule }) => GUESSED.includes(field) && rule === 'wrong')
}
