import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuseField } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { assertOwnPassword } from '#staff/own_password'
import { setSecondFactor } from '#staff/pass_second_factor/pass_second_factor_sql'
import { lockStaff } from '#staff/queries/lock_staff'
import { endSessions } from '#staff/queries/staff_sessions'
import { replaceRecoveryCodes } from '#staff/recovery_codes'
import { encryptTotpSecret, stepOf } from '#staff/second_factor'

export interface SetSecondFactorInput {
  id: number
  secret: string
  /** Proves that the authenticator has read the secret. */
  code: string
  currentPassword: string
  sessionId: string
  actor: Actor
}

/** A first authenticator, or another one instead; answers with new recovery codes, told only here. */
export default class SetSecondFactor {
  async handle({ id, secret, code, currentPassword, sessionId, actor }: SetSecondFactorInput) {
    const step = stepOf(secret, code.replace(/\s/g, ''))
    return transaction(async (trx) => {
      await assertOwnPassword(await lockStaff(id, trx), currentPassword)
      if (step === null) refuseField('code', 'wrong', 'account.wrong_code')
      await setSecondFactor({ id, totpSecretEncrypted: encryptTotpSecret(id, secret), step }, trx)
      await endSessions({ id, sessionId: null, exceptSessionId: sessionId }, trx)
      await record('staff_second_factor_set', {}, { actor }, trx)
      return replaceRecoveryCodes(id, trx)
    })
  }
}
