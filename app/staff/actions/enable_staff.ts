import type { Actor } from '#shared/actor'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { recordAccountChange } from '#staff/account_changes'
import { lockOther } from '#staff/queries/lock_staff'

const enable = statement<object, { id: number }>(
  'staff_enable',
  'UPDATE staff SET disabled_at = NULL, updated_at = clock_timestamp() WHERE id = :id'
)

/** Enables a disabled account. */
export default class EnableStaff {
  async handle({ id, reason, actor }: { id: number; reason: string | null; actor: Actor }) {
    await transaction(async (trx) => {
      const person = await lockOther(id, actor, trx)
      if (!person.isDisabled) return
      await enable({ id }, trx)
      await recordAccountChange(
        'staff_enabled',
        { email: person.email, reason },
        { staffId: id, actor },
        trx
      )
    })
  }
}
