import limiter from '@adonisjs/limiter/services/main'
import { errors } from '@adonisjs/limiter'

const PER_ADDRESS = { requests: 30, duration: '10 minutes' }
const PER_EMAIL = { requests: 8, duration: '15 minutes' }

/** Counts a sign-in against its address and its e-mail before it is judged, so that parallel tries count too. */
export class SignInBudget {
  #address
  #email

  constructor(address: string, email: string) {
    this.#address = { limiter: limiter.use(PER_ADDRESS), key: `sign_in:address:${address}` }
    this.#email = { limiter: limiter.use(PER_EMAIL), key: `sign_in:email:${email.toLowerCase()}` }
  }

  /** Seconds to wait, or 0 when this try is within the budget. */
  async spend(): Promise<number> {
    try {
      await this.#address.limiter.consume(this.#address.key)
      await this.#email.limiter.consume(this.#email.key)
      return 0
    } catch (error) {
      if (error instanceof errors.E_TOO_MANY_REQUESTS)
        return Math.max(1, error.response.availableIn)
      throw error
    }
  }

  /** A right password gives its own tries back, and nobody else's. */
  async restore(): Promise<void> {
    await this.#email.limiter.delete(this.#email.key)
    await this.#address.limiter.decrement(this.#address.key)
  }
}
