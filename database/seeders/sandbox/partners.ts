import { openSecret } from '#partners/api_key'
import { writeFirstCursor } from '#partners/feed/feed_cursor'
import ChangeGrant from '#partners/actions/change_grant'
import ChangePartnerStatus from '#partners/actions/change_partner_status'
import CreatePartner from '#partners/actions/create_partner'
import type { PartnerSettings } from '#partners/settings'
import IssueKey from '#partners/actions/issue_key'
import { statement } from '#shared/statement'
import { SEEDER } from './seeder.js'

const BULK = { requestsPerMinute: 1_000_000, requestsInFlight: 1_000, pendingOrders: 100_000 }

// prettier-ignore
export const PARTNERS: Record<string, Partial<PartnerSettings>> = {
  demo:      {},
  bulk:      BULK,
  rival:     BULK,
  brisk:     { ...BULK, holdSeconds: 5, paymentWindowSeconds: 5 },
  limited:   { requestsPerMinute: 10 },
  suspended: {},
  kassa:     {},
  afisha:    {},
}

interface KeyRow {
  partner_id: number
  api_key: string
  secret_encrypted: string
}

const selectKey = statement<Pick<KeyRow, 'partner_id'> & Partial<KeyRow>, { code: string }>(
  'sandbox_partner_key',
  `SELECT p.id AS partner_id, k.api_key, k.secret_encrypted FROM partners p
     LEFT JOIN partner_keys k ON k.partner_id = p.id AND k.revoked_at IS NULL
    WHERE p.code = :code ORDER BY k.created_at LIMIT 1`
)

export interface SandboxPartner {
  code: string
  api_key: string
  secret: string
  /** A cursor before every change, so that polling returns the cancelled event and the revoked grant. */
  feed_cursor: string
}

/** Creates the sandbox partner and its key when they don't exist. */
export async function seedPartner(code: string): Promise<SandboxPartner> {
  if (!(await selectKey.first({ code }))) {
    await new CreatePartner().handle({
      code,
      name: `Sandbox ${code}`,
      settings: PARTNERS[code],
      actor: SEEDER,
    })
  }
  const known = await selectKey.one({ code })
  const { api_key: apiKey, secret } = await workingKey(code, known)
  return { code, api_key: apiKey, secret, feed_cursor: writeFirstCursor(known.partner_id) }
}

async function workingKey(code: string, known: Partial<KeyRow>) {
  if (known.api_key) {
    const secret = openSecret(known.api_key, known.secret_encrypted!)
    return { api_key: known.api_key, secret }
  }
  const { apiKey, secret } = await new IssueKey().handle({ partnerCode: code, actor: SEEDER })
  return { api_key: apiKey, secret }
}

export const giveGrant = (partnerCode: string, eventId: string) =>
  new ChangeGrant().handle({ partnerCode, eventId, access: 'active', reason: null, actor: SEEDER })

export const revokeGrant = (partnerCode: string, eventId: string) =>
  new ChangeGrant().handle({
    partnerCode,
    eventId,
    access: 'revoked',
    reason: 'sandbox',
    actor: SEEDER,
  })

export const suspend = (partnerCode: string) =>
  new ChangePartnerStatus().handle({
    partnerCode,
    to: 'suspended',
    reason: 'sandbox',
    actor: SEEDER,
  })
