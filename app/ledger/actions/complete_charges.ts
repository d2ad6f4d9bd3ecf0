import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const MOVEMENT_COLUMNS = `partner_id, kind, amount_tenge, source, event_id, order_id, terms_id, rate_bp, effective_at`

const chargeSales = statement<object, { partnerId: number }>(
  'settlement_charge_sales',
  `INSERT INTO ledger_movements (${MOVEMENT_COLUMNS})
   SELECT sale.partner_id, charge.kind, charge.amount, sale.source, sale.event_id, sale.order_id, t.id, charge.rate, sale.effective_at
     FROM ledger_movements sale JOIN settlement_terms t ON t.id = sale.terms_id
     JOIN orders o ON o.id = sale.source, LATERAL sale_charges(o.booking_id, t) charge
    WHERE sale.partner_id = :partnerId AND sale.statement_id IS NULL AND sale.kind = 'sale'
   ON CONFLICT (source, kind) DO NOTHING`
)
const chargeVoids = statement<object, { partnerId: number }>(
  'settlement_charge_voids',
  `INSERT INTO ledger_movements (${MOVEMENT_COLUMNS})
   SELECT back.partner_id, charge.kind, charge.amount, back.source, back.event_id, back.order_id, t.id, charge.rate, back.effective_at
     FROM ledger_movements back JOIN settlement_terms t ON t.id = back.terms_id, LATERAL void_charges(-back.amount_tenge, t) charge
    WHERE back.partner_id = :partnerId AND back.statement_id IS NULL AND back.kind IN ('refund', 'event_cancel', 'platform_void')
   ON CONFLICT (source, kind) DO NOTHING`
)

/**
 * Charges commission and VAT for sales that were made before the partner's first terms. Repeated when a period is closed,
 * for a sale that was in flight while the terms were set.
 */
export async function completeCharges(partnerId: number, trx: TransactionClientContract) {
  await chargeSales({ partnerId }, trx)
  await chargeVoids({ partnerId }, trx)
}
