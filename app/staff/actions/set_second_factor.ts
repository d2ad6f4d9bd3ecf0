import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { assertOwnPassword } from '#staff/password'
import { lockStaff } from '#staff/queries/lock_staff'
import { endSessions } from '#staff/sessions'
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

const storeSecondFactor = statement<
  object,
  { id: number; totpSecretEncrypted: string; step: number }
>(
  'staff_set_second_factor',
  `UPDATE staff SET totp_secret_encrypted = :totpSecretEncrypted, totp_last_step = :step, totp_set_at = clock_timestamp(),
          updated_at = clock_timestamp() WHERE id = :id`
)

/** Sets or replaces the authenticator; returns new recovery codes, which are shown only once. */
export default class SetSecondFactor {
  async handle({ id, secret, code, currentPassword, sessionId, actor }: SetSecondFactorInput) {
    const step = stepOf(secret, code.replace(/\s/g, ''))
    return transaction(async (trx) => {
      await assertOwnPassword(await lockStaff(id, trx), currentPassword)
      if (step === null) refuseField('code', 'wrong', 'account.wrong_code')
      await storeSecondFactor({ id, totpSecretEncrypted: encryptTotpSecret(id, secret), step }, trx)
      await endSessions({ id, sessionId: null, exceptSessionId: sessionId }, trx)
      await record('staff_second_factor_set', {}, { actor }, trx)
      return replaceRecoveryCodes(id, trx)
    })
  }
}
