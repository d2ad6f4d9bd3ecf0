import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { noteFailure, type SignInFailure } from '#staff/sign_in_failures'

// Somebody disabled is named as well: tries on their account are worth knowing.
const findId = statement<{ id: number }, { email: string | null; id: number | null }>(
  'staff_find_id',
  'SELECT id FROM staff WHERE lower(email) = lower(:email) OR id = :id'
)

export type NoteSignInFailureInput = Omit<SignInFailure, 'staffId'> & {
  account: { email: string } | { id: number }
}

/** A wrong password or code. What was typed as an e-mail is kept only as the account that it names. */
export default class NoteSignInFailure {
  async handle({ account, ...failure }: NoteSignInFailureInput) {
    const named =
      'id' in account ? { email: null, id: account.id } : { email: account.email, id: null }
    const person = await findId.first(named)
    await transaction((trx) => noteFailure({ ...failure, staffId: person?.id ?? null }, trx))
  }
}
