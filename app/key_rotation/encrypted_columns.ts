import { eventKeyPurpose } from '#catalog/event_keys'
import { partnerKeyPurpose } from '#partners/api_key'
import { CANARY_PURPOSE } from '#partners/app_key_check'
import { totpPurpose } from '#staff/second_factor'

/** A column whose values are encrypted with APP_KEY; a test finds columns that are missing here. */
export interface EncryptedColumn {
  table: string
  key: string
  column: string
  purposeOf: (key: string) => string
}

/** Webhooks are signed with the secret of a partner's key; there is no other secret of theirs. */
export const ENCRYPTED_COLUMNS: EncryptedColumn[] = [
  {
    table: 'partner_keys',
    key: 'api_key',
    column: 'secret_encrypted',
    purposeOf: partnerKeyPurpose,
  },
  { table: 'event_keys', key: 'kid', column: 'private_key_encrypted', purposeOf: eventKeyPurpose },
  {
    table: 'staff',
    key: 'id',
    column: 'totp_secret_encrypted',
    purposeOf: (id) => totpPurpose(Number(id)),
  },
]

/** The last one: a process without the former keys starts only once everything else opens without them. */
export const CANARY_COLUMN: EncryptedColumn = {
  table: 'app_key_canary',
  key: 'one',
  column: 'sealed',
  purposeOf: () => CANARY_PURPOSE,
}
