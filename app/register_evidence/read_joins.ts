import { foldId } from '#register_reading/read_id'
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

// Joined, not compared with ANY: a prepared plan looks through an array of ten thousand for every row.
const selectOrders = statement<
  { paymentId: string; orderIds: string[] },
  { partnerId: number; payments: string[] }
>(
  'register_evidence_orders_of_payments',
  `WITH asked AS MATERIALIZED (SELECT DISTINCT unnest(:payments::text[]) AS payment),
        confirms AS (
          SELECT payment, a.* FROM asked JOIN confirm_attempts a ON a.external_payment_id = payment AND a.http_status <> 200
           UNION ALL
          SELECT payment, a.* FROM asked JOIN confirm_attempts a ON a.external_payment_id = payment AND a.names_other_payment)
   SELECT payment AS "paymentId", array_agg(DISTINCT id) AS "orderIds"
     FROM (SELECT payment, order_id_sent AS id FROM confirms WHERE partner_id = :partnerId AND signature_valid
           UNION
           SELECT payment, o.id FROM asked JOIN orders o ON o.payment_external_id = payment AND o.partner_id = :partnerId
           UNION
           SELECT payment, n.order_id
             FROM asked JOIN partner_register_named_payments n ON n.payment_id = payment
             JOIN partner_registers r ON r.id = n.register_id AND r.partner_id = :partnerId AND r.state = 'confirmed') named
    GROUP BY payment`
)

/** A payment id as it stands, without what a spreadsheet has put around it, and folded. */
export function spellingsOf(paymentId: string): string[] {
  const bare = paymentId.replace(/^['’‘`\s]+/, '').trim()
  return [...new Set([paymentId, bare, foldId(paymentId)])]
}

/** Orders that confirms or matched rows name with these payments, also where a spreadsheet has put something around them. */
export async function ordersOfPayments(
  partnerId: number,
  paymentIds: string[],
  trx: TransactionClientContract
) {
  const payments = [...new Set(paymentIds.flatMap(spellingsOf))]
  return payments.length === 0 ? [] : selectOrders({ partnerId, payments }, trx)
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
export async function salesOfDays<Lacked extends Pick<MissingOrder, 'registerId' | 'orderId'>>(
  missing: Lacked[],
  trx: TransactionClientContract
): Promise<Lacked[]> {
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
