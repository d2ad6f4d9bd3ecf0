import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import {
  countRecoveryCodes,
  countWrongCode,
  resetWrongCodes,
  lockSecondFactor,
  useRecoveryCode,
  useTotpStep,
} from '#staff/pass_second_factor/pass_second_factor_sql'
import { lockStaff, type LockedStaff } from '#staff/queries/lock_staff'
import { digestOfCode } from '#staff/recovery_codes'
import { MOST_WRONG_CODES, openTotpSecret, stepOf } from '#staff/second_factor'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const TOTP_CODE = /^\d{6}$/

/** `locked`: no code is accepted until an administrator unlocks the account. */
export type SecondFactorOutcome = 'passed' | 'wrong' | 'locked'

interface PassSecondFactorInput {
  id: number
  code: string
  actor: Actor
}

/**
 * Checks a code of the authenticator or a recovery code. Each code is accepted once, also when two requests race.
 * The password was right already, so after too many wrong codes in total no code is accepted any more.
 */
export default class PassSecondFactor {
  async handle({ id, code, actor }: PassSecondFactorInput): Promise<SecondFactorOutcome> {
    const typed = code.replace(/\s/g, '')
    return transaction(async (trx) => {
      const person = await lockStaff(id, trx)
      if (!person.totpSecretEncrypted) return 'wrong'
      if (person.isSecondFactorLocked) return 'locked'
      const isRight = TOTP_CODE.test(typed)
        ? await this.#useTotp(id, typed, person.totpSecretEncrypted, trx)
        : await this.#useRecoveryCode(id, typed, actor, trx)
      if (!isRight) return this.#countWrong(person, actor, trx)
      await resetWrongCodes({ id }, trx)
      return 'passed'
    })
  }

  async #useTotp(id: number, code: string, encrypted: string, trx: TransactionClientContract) {
    const secret = openTotpSecret(id, encrypted)
    const step = secret && stepOf(secret, code)
    if (!step) return false
    const used = await useTotpStep({ id, step }, trx)
    return used.length === 1
  }

  async #useRecoveryCode(id: number, code: string, actor: Actor, trx: TransactionClientContract) {
    const used = await useRecoveryCode({ id, digest: digestOfCode(code) }, trx)
    if (used.length === 0) return false
    const { left } = await countRecoveryCodes.one({ id }, trx)
    await record('staff_recovery_code_used', { left }, { actor }, trx)
    return true
  }

  async #countWrong({ id, email }: LockedStaff, actor: Actor, trx: TransactionClientContract) {
    const { failures } = await countWrongCode.one({ id }, trx)
    if (failures < MOST_WRONG_CODES) return 'wrong'
    await lockSecondFactor({ id }, trx)
    // The actor is a visitor: somebody else may be trying.
    const by: Actor = { kind: 'visitor', name: 'visitor', requestId: actor.requestId }
    await record('staff_second_factor_locked', { email, failures }, { actor: by }, trx)
    return 'locked'
  }
}
