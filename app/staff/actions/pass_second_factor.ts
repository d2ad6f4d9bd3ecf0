import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import { countRecoveryCodes, useRecoveryCode, useStep } from '#staff/queries/keep_second_factor'
import { lockStaff } from '#staff/queries/lock_staff'
import { digestOfCode } from '#staff/recovery_codes'
import { openTotpSecret, stepOf } from '#staff/second_factor'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const TOTP_CODE = /^\d{6}$/

/** Whether a code of the authenticator or a recovery code is right. Each counts once, also for two who come at once. */
export default class PassSecondFactor {
  async handle({ id, code, actor }: { id: number; code: string; actor: Actor }): Promise<boolean> {
    const typed = code.replace(/\s/g, '')
    return transaction(async (trx) => {
      const { totpSecretEncrypted } = await lockStaff(id, trx)
      if (!totpSecretEncrypted) return false
      if (!TOTP_CODE.test(typed)) return this.#recover(id, typed, actor, trx)
      const secret = openTotpSecret(id, totpSecretEncrypted)
      const step = secret && stepOf(secret, typed)
      if (!step) return false
      const used = await useStep([id, step], trx)
      return used.length === 1
    })
  }

  async #recover(id: number, code: string, actor: Actor, trx: TransactionClientContract) {
    const used = await useRecoveryCode([id, digestOfCode(code)], trx)
    if (used.length === 0) return false
    const { left } = await countRecoveryCodes.one([id], trx)
    await record('staff_recovery_code_used', { left }, { actor }, trx)
    return true
  }
}
