import { assertSettings, DEFAULT_SETTINGS, type PartnerSettings } from '#partners/settings'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface CreatePartnerInput {
  code: string
  name: string
  settings?: Partial<PartnerSettings>
  actor: Actor
}

const insertPartner = statement<{ id: number }, PartnerSettings & { code: string; name: string }>(
  'partner_insert',
  `INSERT INTO partners (code, name, requests_per_minute, requests_in_flight, pending_orders,
                         hold_seconds, payment_window_seconds, allowed_addresses)
   VALUES (:code, :name, :requestsPerMinute, :requestsInFlight, :pendingOrders,
           :holdSeconds, :paymentWindowSeconds, :allowedAddresses)
   ON CONFLICT (code) DO NOTHING RETURNING id`
)

const CODE = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** A partner without keys or grants; refuses ALREADY_EXISTS for a code that is taken. */
export default class CreatePartner {
  async handle({
    code,
    name,
    settings,
    actor,
  }: CreatePartnerInput): Promise<{ partnerId: number }> {
    const allSettings = { ...DEFAULT_SETTINGS, ...settings }
    if (!CODE.test(code))
      refuseField('code', 'format', 'must have 1 to 64 lowercase letters, digits, _ and -')
    assertSettings(allSettings)
    return transaction(async (trx) => {
      const partner = await insertPartner.first({ code, name, ...allSettings }, trx)
      if (!partner) refuse('ALREADY_EXISTS', { what: `partner ${code}` })
      await record('partner_created', { code }, { actor, partnerId: partner.id }, trx)
      return { partnerId: partner.id }
    })
  }
}
