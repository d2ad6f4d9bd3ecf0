import { addressGroup, providerOf } from '#shared/addresses'
import RecordSignInFailure from '#staff/actions/record_sign_in_failure'
import { listKnownAddresses } from '#staff/queries/staff_sessions'
import limiter from '@adonisjs/limiter/services/main'
import { errors } from '@adonisjs/limiter'
import type { HttpContext } from '@adonisjs/core/http'

/** Tries from one network, for all accounts together. */
const PER_NETWORK = { requests: 30, duration: '10 minutes' }
/** Tries from one network for one account: blocks that network, not the person elsewhere. */
const PER_ACCOUNT_AND_NETWORK = { requests: 8, duration: '15 minutes' }
/** Tries from all networks for one account. Above it, networks that the person never signed in from are slowed down. */
const PER_ACCOUNT = { requests: 100, duration: '15 minutes' }

/**
 * What unknown networks of a slowed account get, each of the three for its own reason.
 *
 *     a network                     1 in 15 s       so that the owner gets in from a new one although others keep trying
 *     a provider (/32, IPv4 /16)    5 in a minute   so that nobody with many networks takes what all together get
 *     all together                  30 in a minute  so that a password is not guessed: 100 + 15 × 30 = 550 tries in 15
 *                                                   minutes, 53,000 a day, with an entry in the journal every minute
 *
 * At that rate the million most frequent passwords take 19 days, and three random words of a list of 7,776 take 12,000
 * years on average. To keep the owner out, six providers have to try without a pause; an administrator can unlock.
 */
const SLOWED = {
  network: { requests: 1, duration: '15 seconds' },
  provider: { requests: 5, duration: '1 minute' },
  total: { requests: 30, duration: '1 minute' },
}

const SECONDS_IN_MINUTE = 60

/** A password at the sign-in, a code of the second factor, or the own password in an open session. */
const STEPS = ['password', 'code', 'own_password'] as const
type Step = (typeof STEPS)[number]
type Account = { email: string } | { id: number }

/**
 * An e-mail as PostgreSQL's lower() folds it, or one account would have several budgets: JavaScript makes İ two
 * characters, an i and a dot, where PostgreSQL makes it an i.
 */
const foldedEmail = (email: string) => email.toLowerCase().replaceAll('i\u0307', 'i')

const nameOf = (account: Account) =>
  'id' in account ? String(account.id) : foldedEmail(account.email)

const keysOf = (step: Step, account: string, network: string) => ({
  network: `sign_in:network:${network}`,
  accountAndNetwork: `sign_in:${step}:${account}:at:${network}`,
  account: `sign_in:${step}:${account}`,
  slowed: {
    network: `sign_in:${step}:${account}:slowed:at:${network}`,
    provider: `sign_in:${step}:${account}:slowed:by:${providerOf(network)}`,
    total: `sign_in:${step}:${account}:slowed`,
  },
})

/** Counts a try before it is judged, so that parallel tries count too. Within its budget it costs Redis alone. */
export class SignInBudget {
  readonly #network
  readonly #account
  readonly #keys
  #blockedSeconds: number | null = null
  #slowedSeconds: number | null = null
  #isCountedForAccount = false

  constructor(address: string, step: Step, account: Account) {
    this.#network = addressGroup(address)
    this.#account = account
    this.#keys = keysOf(step, nameOf(account), this.#network)
  }

  /** Seconds to wait, or 0 when this try is within the budget. */
  async spend(): Promise<number> {
    try {
      const { network, accountAndNetwork } = this.#keys
      const here = limiter.use(PER_ACCOUNT_AND_NETWORK)
      await limiter.use(PER_NETWORK).consume(network)
      // A blocked network must not spend what other networks have left for this account.
      if ((await here.availableIn(accountAndNetwork)) > 0)
        return await here.availableIn(accountAndNetwork)
      // A try that is refused because the account is slowed down must not block its network.
      await this.#spendOfAccount()
      const { remaining, availableIn } = await here.consume(accountAndNetwork)
      if (remaining === 0) this.#blockedSeconds = availableIn
      return 0
    } catch (error) {
      if (error instanceof errors.E_TOO_MANY_REQUESTS)
        return Math.max(1, error.response.availableIn)
      throw error
    }
  }

  async #spendOfAccount() {
    try {
      const { remaining, availableIn } = await limiter.use(PER_ACCOUNT).consume(this.#keys.account)
      this.#isCountedForAccount = true
      if (remaining === 0) this.#slowedSeconds = availableIn
    } catch (error) {
      if (!(error instanceof errors.E_TOO_MANY_REQUESTS)) throw error
      if (!(await this.#isKnown())) await this.#spendOfSlowed()
    }
  }

  /** In this order: a try that is refused to its network or provider takes nothing from the others. */
  async #spendOfSlowed() {
    for (const level of ['network', 'provider', 'total'] as const)
      await limiter.use(SLOWED[level]).consume(this.#keys.slowed[level])
  }

  /** Whether the person has been signed in from here. */
  async #isKnown() {
    const known = await listKnownAddresses({
      email: 'email' in this.#account ? this.#account.email : null,
      accountId: 'id' in this.#account ? this.#account.id : null,
    })
    return known.some(({ address }) => addressGroup(address) === this.#network)
  }

  /** A success gives back its own tries only. */
  async restore(): Promise<void> {
    await limiter.use(PER_ACCOUNT_AND_NETWORK).delete(this.#keys.accountAndNetwork)
    await limiter.use(PER_NETWORK).decrement(this.#keys.network)
    if (this.#isCountedForAccount) await limiter.use(PER_ACCOUNT).decrement(this.#keys.account)
  }

  /** Records the failure for administrators and in the journal. */
  async noteFailure(): Promise<void> {
    await new RecordSignInFailure().handle({
      account: this.#account,
      network: this.#network,
      blockedSeconds: this.#blockedSeconds,
      slowedSeconds: this.#slowedSeconds,
    })
  }
}

/** Resets a person's limits, for these networks and in total. */
export async function clearBudgets(
  { id, email }: { id: number; email: string },
  networks: string[]
) {
  const accounts = { password: foldedEmail(email), code: String(id), own_password: String(id) }
  for (const step of STEPS) {
    const { account, slowed } = keysOf(step, accounts[step], '')
    await limiter.use(PER_ACCOUNT).delete(account)
    await limiter.use(SLOWED.total).delete(slowed.total)
    for (const network of networks) {
      const keys = keysOf(step, accounts[step], network)
      await limiter.use(SLOWED.network).delete(keys.slowed.network)
      await limiter.use(SLOWED.provider).delete(keys.slowed.provider)
      await limiter.use(PER_ACCOUNT_AND_NETWORK).delete(keys.accountAndNetwork)
      await limiter.use(PER_NETWORK).delete(keys.network)
    }
  }
}

/** Redirects back to the form, with the error at its field. */
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
