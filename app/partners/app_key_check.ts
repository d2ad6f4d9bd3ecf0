import { openSecret } from '#partners/api_key'
import { statement } from '#shared/statement'
import encryption from '@adonisjs/core/services/encryption'

export const CANARY_PURPOSE = 'app-key-canary'
const TEXT = 'This text was encrypted with APP_KEY at the first start.'

const selectCanary = statement<{ sealed: string }>(
  'app_key_canary',
  'SELECT sealed FROM app_key_canary'
)

const insertCanary = statement<object, { sealed: string }>(
  'app_key_canary_insert',
  'INSERT INTO app_key_canary (sealed) VALUES (:sealed) ON CONFLICT DO NOTHING'
)

/** Something that an earlier release has encrypted, which had no canary. */
const selectNewestSecret = statement<{ api_key: string; secret_encrypted: string }>(
  'app_key_newest_secret',
  'SELECT api_key, secret_encrypted FROM partner_keys ORDER BY created_at DESC LIMIT 1'
)

/**
 * Whether APP_KEY opens what is stored. The first process that asks stores the canary, unless partners' secrets that are there
 * already were encrypted with another key. Throws what PostgreSQL throws.
 */
export async function opensStoredData(): Promise<boolean> {
  const canary = await selectCanary.first({})
  if (canary) return isOpenedCanary(canary.sealed)
  const stored = await selectNewestSecret.first({})
  if (stored && !isOpenedSecret(stored.api_key, stored.secret_encrypted)) return false
  await insertCanary({ sealed: encryption.encrypt(TEXT, { purpose: CANARY_PURPOSE }) })
  // Of two processes at their first start, one has stored it.
  const { sealed } = await selectCanary.one({})
  return isOpenedCanary(sealed)
}

const isOpenedCanary = (sealed: string) => encryption.decrypt(sealed, CANARY_PURPOSE) === TEXT

function isOpenedSecret(apiKey: string, encrypted: string) {
  try {
    openSecret(apiKey, encrypted)
    return true
  } catch {
    return false
  }
}
