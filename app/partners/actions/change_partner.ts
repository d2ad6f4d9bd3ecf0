import { assertSettings, type PartnerSettings } from '#partners/settings'
import type { Actor } from '#shared/actor'
import { differences, record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

type Changeable = PartnerSettings & { name: string }

export interface ChangePartnerInput {
  partnerCode: string
  /** `PARTNER_VERSION` when the form was opened; another one refuses STALE. */
  version: string
  changes: Partial<Changeable>
  reason: string | null
  actor: Actor
}

/** SQL of the partner's version for optimistic locking: the time of its last change, to the microsecond. */
export const PARTNER_VERSION = 'extract(epoch FROM updated_at)::text'

const selectForChange = statement<
  Changeable & { id: number; version: string },
  { partnerCode: string }
>(
  'partner_for_change',
  `SELECT id, name, requests_per_minute AS "requestsPerMinute", requests_in_flight AS "requestsInFlight",
          pending_orders AS "pendingOrders", hold_seconds AS "holdSeconds",
          payment_window_seconds AS "paymentWindowSeconds", allowed_addresses AS "allowedAddresses",
          ${PARTNER_VERSION} AS version
     FROM partners WHERE code = :partnerCode FOR NO KEY UPDATE`
)
const storePartner = statement<object, Changeable & { id: number }>(
  'partner_store',
  `UPDATE partners
      SET name = :name, requests_per_minute = :requestsPerMinute, requests_in_flight = :requestsInFlight,
          pending_orders = :pendingOrders, hold_seconds = :holdSeconds, payment_window_seconds = :paymentWindowSeconds,
          allowed_addresses = :allowedAddresses, updated_at = clock_timestamp()
    WHERE id = :id`
)

/** Changes a partner's name, limits or addresses from its next request on; existing bookings and orders keep theirs. */
export default class ChangePartner {
  async handle({ partnerCode, version, changes, reason, actor }: ChangePartnerInput) {
    await transaction(async (trx) => {
      const before = await selectForChange.first({ partnerCode }, trx)
      if (!before) refuse('NO_SUCH', { what: `partner ${partnerCode}` })
      const { id, version: current, ...known } = before
      if (current !== version) refuse('STALE')
      const after = { ...known, ...changes }
      const { name, ...settings } = after
      assertSettings(settings)
      const changed = differences(known, after)
      if (Object.keys(changed).length === 0) return
      await storePartner({ id, ...after }, trx)
      await record('partner_changed', { changed, reason }, { actor, partnerId: id }, trx)
    })
  }
}
