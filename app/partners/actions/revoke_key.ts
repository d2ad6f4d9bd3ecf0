import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const revoke = statement<{ partner_id: number }, { apiKey: string; partnerCode: string | null }>(
  'partner_key_revoke',
  `UPDATE partner_keys SET revoked_at = clock_timestamp()
    WHERE api_key = :apiKey AND revoked_at IS NULL
      AND (:partnerCode::text IS NULL OR partner_id = (SELECT id FROM partners WHERE code = :partnerCode))
   RETURNING partner_id`
)

export interface RevokeKeyInput {
  apiKey: string
  /** The key must belong to this partner; left out, it may be anybody's. */
  partnerCode?: string
  actor: Actor
}

/** The next request with this key is refused. */
export default class RevokeKey {
  async handle({ apiKey, partnerCode, actor }: RevokeKeyInput) {
    await transaction(async (trx) => {
      const key = await revoke.first({ apiKey, partnerCode: partnerCode ?? null }, trx)
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
