import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/** What a partner may have its own number for; the defaults are the contract's (completions, Numbers). */
export interface PartnerSettings {
  requestsPerMinute: number
  requestsInFlight: number
  pendingOrders: number
  holdSeconds: number
  paymentWindowSeconds: number
  allowedAddresses: string[]
}

export const DEFAULT_SETTINGS: PartnerSettings = {
  requestsPerMinute: 100,
  requestsInFlight: 20,
  pendingOrders: 50,
  holdSeconds: 180,
  paymentWindowSeconds: 300,
  allowedAddresses: [],
}

export interface CreatePartnerInput {
  code: string
  name: string
  settings?: Partial<PartnerSettings>
  actor: Actor
}

const insertPartner = statement<{ id: number }>(
  'partner_insert',
  `INSERT INTO partners (code, name, requests_per_minute, requests_in_flight, pending_orders,
                         hold_seconds, payment_window_seconds, allowed_addresses)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (code) DO NOTHING RETURNING id`
)

const CODE = /^[a-z0-9][a-z0-9_-]{0,63}$/
const MAX_SETTING = 2_147_483_647

function assertSound(code: string, { allowedAddresses: _, ...numbers }: PartnerSettings) {
  if (!CODE.test(code))
    refuseField('code', 'format', 'must have 1 to 64 lowercase letters, digits, _ and -')
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || value < 1 || value > MAX_SETTING)
      refuseField(name, 'range', 'must be a whole number above zero')
  }
}

export default class CreatePartner {
  async handle({
    code,
    name,
    settings,
    actor,
  }: CreatePartnerInput): Promise<{ partnerId: number }> {
    const own = { ...DEFAULT_SETTINGS, ...settings }
    assertSound(code, own)
    return transaction(async (trx) => {
      const partner = await insertPartner.first(
        [
          ...[code, name, own.requestsPerMinute, own.requestsInFlight, own.pendingOrders],
          ...[own.holdSeconds, own.paymentWindowSeconds, own.allowedAddresses],
        ],
        trx
      )
      if (!partner) refuse('ALREADY_EXISTS', { what: `partner ${code}` })
      await record('partner_created', { code }, { actor, partnerId: partner.id }, trx)
      return { partnerId: partner.id }
    })
  }
}
