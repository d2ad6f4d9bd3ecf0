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
  /** The key to be replaced; it works on until `expiresAt`. */
  apiKey: string
  expiresAt: Date
  actor: Actor
}

const endKey = statement<object, { apiKey: string; partnerId: number; expiresAt: Date }>(
  'partner_key_end',
  `UPDATE partner_keys SET expires_at = :expiresAt
    WHERE api_key = :apiKey AND partner_id = :partnerId AND revoked_at IS NULL AND expires_at IS NULL RETURNING 1`
)

/** A new pair now, and an end for the old one; a key that already has an end isn't replaced twice. */
export default class RotateKey {
  async handle({ partnerCode, apiKey, expiresAt, actor }: RotateKeyInput) {
    if (expiresAt.getTime() <= Date.now())
      refuseField('expiresAt', 'future', 'must be a moment to come')
    const pair = newKeyPair(platform.deployment)
    await transaction(async (trx) => {
      const { id: partnerId } = await lockPartner(partnerCode, trx)
      const ended = await endKey({ apiKey, partnerId, expiresAt }, trx)
      if (ended.length === 0) refuse('NO_SUCH', { what: `live key ${apiKey} without an end` })
      await insertKey(
        {
          apiKey: pair.apiKey,
          partnerId,
          secretEncrypted: encryptSecret(pair.apiKey, pair.secret),
        },
        trx
      )
      const about = { actor, partnerId }
      await record('partner_key_issued', { api_key: pair.apiKey }, about, trx)
      const told = { api_key: apiKey, replaced_by: pair.apiKey }
      const entry = { ...told, expires_at: expiresAt.toISOString() }
      await record('partner_key_rotated', entry, about, trx)
    })
    return pair
  }
}
