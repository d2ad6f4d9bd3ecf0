import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { recordFailure, type SignInFailure } from '#staff/sign_in_failures'

// Disabled accounts too: attempts to sign in to them are worth knowing.
const findId = statement<{ id: number }, { email: string | null; id: number | null }>(
  'staff_find_id',
  'SELECT id FROM staff WHERE lower(email) = lower(:email) OR id = :id'
)

export type RecordSignInFailureInput = Omit<SignInFailure, 'staffId'> & {
  account: { email: string } | { id: number }
}

/** Records a wrong password or code. A typed e-mail is stored only as the id of its account. */
export default class RecordSignInFailure {
  async handle({ account, ...failure }: RecordSignInFailureInput) {
    const named =
      'id' in account ? { email: null, id: account.id } : { email: account.email, id: null }
    const person = await findId.first(named)
    await transaction((trx) => recordFailure({ ...failure, staffId: person?.id ?? null }, trx))
  }
}
