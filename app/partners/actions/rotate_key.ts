import platform from '#config/platform'
import { encryptSecret, newKeyPair } from '#partners/api_key'
import { insertKey } from '#partners/actions/issue_key'
import { lockPartner } from '#partners/queries/find_partner'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface RotateKeyInput {
  partnerCode: string
  /** The key to be replaced; it works until `expiresAt`. */
  apiKey: string
  expiresAt: Date
  actor: Actor
}

const expireKey = statement<object, { apiKey: string; partnerId: number; expiresAt: Date }>(
  'partner_key_end',
  `UPDATE partner_keys SET expires_at = :expiresAt
    WHERE api_key = :apiKey AND partner_id = :partnerId AND revoked_at IS NULL AND expires_at IS NULL RETURNING 1`
)

/** Issues a new key and sets when the old one expires; a key that already has an expiry isn't replaced twice. */
export default class RotateKey {
  async handle({ partnerCode, apiKey, expiresAt, actor }: RotateKeyInput) {
    if (expiresAt.getTime() <= Date.now())
      refuseField('expiresAt', 'future', 'must be in the future')
    const pair = newKeyPair(platform.deployment)
    await transaction(async (trx) => {
      const { id: partnerId } = await lockPartner(partnerCode, trx)
      const expiring = await expireKey({ apiKey, partnerId, expiresAt }, trx)
      if (expiring.length === 0) refuse('NO_SUCH', { what: `live key ${apiKey} without an end` })
      await insertKey(
        {
          apiKey: pair.apiKey,
          partnerId,
          secretEncrypted: encryptSecret(pair.apiKey, pair.secret),
        },
        trx
      )
      const about = { actor, partnerId }
      const replaced = {
        api_key: apiKey,
        replaced_by: pair.apiKey,
        expires_at: expiresAt.toISOString(),
      }
      await record('partner_key_issued', { api_key: pair.apiKey }, about, trx)
      await record('partner_key_rotated', replaced, about, trx)
    })
    return pair
  }
}
