import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { noteFailure, type SignInFailure } from '#staff/sign_in_failures'

// Somebody disabled is named as well: tries on their account are worth knowing.
const findId = statement<{ id: number }>(
  'staff_find_id',
  'SELECT id FROM staff WHERE lower(email) = lower($1) OR id = $2'
)

export type NoteSignInFailureInput = Omit<SignInFailure, 'staffId'> & {
  account: { email: string } | { id: number }
}

/** A wrong password or code. What was typed as an e-mail is kept only as the account that it names. */
export default class NoteSignInFailure {
  async handle({ account, ...failure }: NoteSignInFailureInput) {
    const named = 'id' in account ? [null, account.id] : [account.email, null]
    const person = await findId.first(named)
    await transaction((trx) => noteFailure({ ...failure, staffId: person?.id ?? null }, trx))
  }
}
