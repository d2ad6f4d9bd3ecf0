import {
  isInPeriod,
  SALE_IN_STATEMENT,
  statementPeriod,
} from '#reconciliation/store/read_our_orders'
import type { MissingOrder, RegisterDays } from '#defects/facts/register_facts'
import {
  sourcesSharingIds,
  type SourceCounts,
  type SourcesSharingIds,
} from '#defects/facts/sources_sharing_ids'
import { sumNumbers } from '#shared/sums'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** A confirmed register whose evidence is kept, whatever its form, and how many of its cases are. */
export interface KeptRegister extends RegisterDays, SourceCounts {
  cases: number
}

const selectRegisters = statement<
  Omit<KeptRegister, 'registerId' | 'from' | 'to'> & { id: number; from: Date; to: Date },
  { partnerId: number }
>(
  'register_evidence_days',
  `SELECT r.id, r.source_id::text AS source, r.period_from AS "from", r.period_to AS "to",
          r.covers_sales AS "coversSales", r.covers_refunds AS "coversRefunds", k.cases,
          s.payment_ids_are = 'own' AS "numbersItself", k.charges_with_id AS "chargesWithId",
          k.charges_with_id_of_confirms AS "chargesWithIdOfConfirms", k.missing_orders AS "missingOrders"
     FROM partner_registers r JOIN partner_register_kept_evidence k ON k.register_id = r.id
     JOIN register_sources s ON s.id = r.source_id
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
      { ...rest, registerId: id, from: from.getTime(), to: to.getTime() },
    ])
  )
}

/** By what all registers of a source together show. */
export function sourcesSharingIdsOf(registers: Iterable<KeptRegister>): SourcesSharingIds {
  const bySource = Map.groupBy(registers, ({ source }) => source)
  return sourcesSharingIds(
    [...bySource].map(([source, own]) => ({
      source,
      numbersItself: own[0].numbersItself,
      chargesWithId: sumNumbers(own, (one) => one.chargesWithId),
      chargesWithIdOfConfirms: sumNumbers(own, (one) => one.chargesWithIdOfConfirms),
      missingOrders: sumNumbers(own, (one) => one.missingOrders),
    }))
  )
}

const selectOrdersOfSecondPayments = statement<
  { id: string },
  { partnerId: number; sources: string[]; from: Date; to: Date }
>(
  'register_evidence_orders_of_second_payments',
  `SELECT DISTINCT o.id
     FROM partner_registers r JOIN partner_register_named_payments n ON n.register_id = r.id
     JOIN orders o ON o.id = n.order_id
    WHERE r.partner_id = :partnerId AND r.state = 'confirmed' AND r.source_id::text = ANY (:sources::text[])
      AND o.created_at >= :from AND o.created_at < :to`
)

/**
 * Orders made in the period that one of these sources shows under another payment id than the confirm of the order. In its register such
 * an order may agree with us in everything else; together with another register it may be charged twice.
 */
export async function ordersOfSecondPayments(
  { partnerId, from, to }: { partnerId: number; from: Date; to: Date },
  sources: SourcesSharingIds,
  trx: TransactionClientContract
): Promise<string[]> {
  const canAddUp = sources.size > 1 && [...sources.values()].includes('part')
  if (!canAddUp) return []
  const found = await selectOrdersOfSecondPayments(
    { partnerId, sources: [...sources.keys()], from, to },
    trx
  )
  return found.map(({ id }) => id)
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
