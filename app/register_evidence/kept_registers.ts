import {
  isInPeriod,
  SALE_IN_STATEMENT,
  statementPeriod,
} from '#reconciliation/store/read_our_orders'
import type { MissingOrder, RegisterDays } from '#defects/facts/register_facts'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** A confirmed register whose evidence is kept, and how many of its cases are. */
export interface KeptRegister extends RegisterDays {
  cases: number
}

const selectRegisters = statement<
  Omit<KeptRegister, 'from' | 'to'> & { id: number; from: Date; to: Date },
  { partnerId: number }
>(
  'register_evidence_days',
  `SELECT r.id, r.source_id::text AS source, r.period_from AS "from", r.period_to AS "to",
          r.covers_sales AS "coversSales", r.covers_refunds AS "coversRefunds", k.cases
     FROM partner_registers r JOIN partner_register_kept_evidence k ON k.register_id = r.id
    WHERE r.partner_id = :partnerId AND r.state = 'confirmed' ORDER BY r.id`
)

/** By their ids. */
export async function readKeptRegisters(
  partnerId: number,
  trx: TransactionClientContract
): Promise<Map<number, KeptRegister>> {
  const found = await selectRegisters({ partnerId }, trx)
  return new Map(
    found.map(({ id, from, to, ...rest }) => [
      id,
      { ...rest, from: from.getTime(), to: to.getTime() },
    ])
  )
}

const DAYS = ['r.period_from', 'r.period_to'] as const

const selectOfDays = statement<
  { registerId: number; orderId: string },
  { registerIds: number[]; orderIds: string[] }
>(
  'register_evidence_sales_of_days',
  `SELECT r.id AS "registerId", o.id::text AS "orderId"
     FROM unnest(:registerIds::integer[], :orderIds::text[]) AS asked (register_id, order_id)
     JOIN partner_registers r ON r.id = asked.register_id JOIN orders o ON o.id = asked.order_id ${SALE_IN_STATEMENT}
    WHERE coalesce(${statementPeriod(...DAYS)} = 'this', ${isInPeriod(...DAYS)})`
)

/** Those whose sale has to be in the register. */
export async function salesOfDays<Missing extends Pick<MissingOrder, 'registerId' | 'orderId'>>(
  missing: Missing[],
  trx: TransactionClientContract
): Promise<Missing[]> {
  if (missing.length === 0) return []
  const found = await selectOfDays(
    {
      registerIds: missing.map(({ registerId }) => registerId),
      orderIds: missing.map(({ orderId }) => orderId),
    },
    trx
  )
  const ofDays = new Set(found.map(({ registerId, orderId }) => `${registerId} ${orderId}`))
  return missing.filter(({ registerId, orderId }) => ofDays.has(`${registerId} ${orderId}`))
}
