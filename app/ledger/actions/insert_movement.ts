import type { MovementKind } from '#ledger/movements'
import { statement } from '#shared/statement'

interface RecordedMovement {
  partnerId: number
  kind: MovementKind
  signed: bigint
  /** The memo or payment, as `memo:7` or `payment:3`. */
  source: string
}

/**
 * Moves the balance for a memo or a payment, at the moment when it is recorded. Triggers write those of
 * sales and voids, `completeCharges` adds charges that only a closing can know.
 */
export const insertMovement = statement<object, RecordedMovement>(
  'settlement_movement_insert',
  `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, source, effective_at)
   VALUES (:partnerId, :kind, :signed, :source, clock_timestamp())`
)
