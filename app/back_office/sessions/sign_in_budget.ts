import limiter from '@adonisjs/limiter/services/main'
import { errors } from '@adonisjs/limiter'
import type { HttpContext } from '@adonisjs/core/http'

const PER_ADDRESS = { requests: 30, duration: '10 minutes' }
const PER_SUBJECT = { requests: 8, duration: '15 minutes' }

const SECONDS_IN_MINUTE = 60

/**
 * Counts a try against its address and its subject (`email:…`, `code:…`, `password:…`) before it is judged,
 * so that parallel tries count too.
 */
export class SignInBudget {
  #address
  #subject

  constructor(address: string, subject: string) {
    this.#address = { limiter: limiter.use(PER_ADDRESS), key: `sign_in:address:${address}` }
    this.#subject = {
      limiter: limiter.use(PER_SUBJECT),
      key: `sign_in:${subject.toLowerCase()}`,
    }
  }

  /** Seconds to wait, or 0 when this try is within the budget. */
  async spend(): Promise<number> {
    try {
      await this.#address.limiter.consume(this.#address.key)
      await this.#subject.limiter.consume(this.#subject.key)
      return 0
    } catch (error) {
      if (error instanceof errors.E_TOO_MANY_REQUESTS)
        return Math.max(1, error.response.availableIn)
      throw error
    }
  }

  /** What was right gives its own tries back, and nobody else's. */
  async restore(): Promise<void> {
    await this.#subject.limiter.delete(this.#subject.key)
    await this.#address.limiter.decrement(this.#address.key)
  }
}

/** Back to the form that was sent, with the reason beside its field. */
export function refuseSignIn(
  { response, session }: HttpContext,
  field: 'email' | 'code' | 'form',
  reason: string,
  waitSeconds = 0
) {
  session.flash('inputErrorsBag', { [field]: [reason] })
  session.flash('waitMinutes', Math.ceil(waitSeconds / SECONDS_IN_MINUTE))
  const step = field === 'code' ? 'back_office.sign_in.code' : 'back_office.sign_in'
  return response.redirect().toRoute(step)
}
