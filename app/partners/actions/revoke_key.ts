import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const revoke = statement<{ partner_id: number }>(
  'partner_key_revoke',
  `UPDATE partner_keys SET revoked_at = clock_timestamp()
    WHERE api_key = $1 AND revoked_at IS NULL RETURNING partner_id`
)

/** The very next request with this key is refused. */
export default class RevokeKey {
  async handle({ apiKey, actor }: { apiKey: string; actor: Actor }) {
    await transaction(async (trx) => {
      const key = await revoke.first([apiKey], trx)
      if (!key) refuse('NO_SUCH', { what: `live key ${apiKey}` })
      await record(
        'partner_key_revoked',
        { api_key: apiKey },
        { actor, partnerId: key.partner_id },
        trx
      )
    })
  }
}
