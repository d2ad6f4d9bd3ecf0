import platform from '#config/platform'
import { encryptSecret, newKeyPair } from '#partners/api_key'
import { lockPartner } from '#partners/queries/find_partner'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export const insertKey = statement<
  object,
  { apiKey: string; partnerId: number; secretEncrypted: string }
>(
  'partner_key_insert',
  'INSERT INTO partner_keys (api_key, partner_id, secret_encrypted) VALUES (:apiKey, :partnerId, :secretEncrypted)'
)

/** Issues a further key, so that a partner can migrate to it; the secret is returned only once. */
export default class IssueKey {
  async handle({ partnerCode, actor }: { partnerCode: string; actor: Actor }) {
    const pair = newKeyPair(platform.deployment)
    await transaction(async (trx) => {
      const { id: partnerId } = await lockPartner(partnerCode, trx)
      await insertKey(
        {
          apiKey: pair.apiKey,
          partnerId,
          secretEncrypted: encryptSecret(pair.apiKey, pair.secret),
        },
        trx
      )
      await record('partner_key_issued', { api_key: pair.apiKey }, { actor, partnerId }, trx)
    })
    return pair
  }
}
