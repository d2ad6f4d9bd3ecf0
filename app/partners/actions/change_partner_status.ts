import { closePartnerGate } from '#catalog/sale_gate'
import { lockPartner } from '#partners/queries/find_partner'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface ChangePartnerStatusInput {
  partnerCode: string
  to: 'active' | 'suspended'
  reason: string | null
  actor: Actor
}

const storeStatus = statement<object, { partnerId: number; to: string }>(
  'partner_store_status',
  'UPDATE partners SET status = :to, updated_at = clock_timestamp() WHERE id = :partnerId'
)

/** Suspends or resumes; existing orders live to the end of their window (contract, Authentication). */
export default class ChangePartnerStatus {
  async handle({ partnerCode, to, reason, actor }: ChangePartnerStatusInput) {
    await transaction(async (trx) => {
      const partner = await lockPartner(partnerCode, trx)
      if (partner.status === to) return
      if (to === 'suspended') await closePartnerGate(partner.id, trx)
      await storeStatus({ partnerId: partner.id, to }, trx)
      const name = to === 'suspended' ? 'partner_suspended' : 'partner_resumed'
      await record(name, { reason }, { actor, partnerId: partner.id }, trx)
    })
  }
}
