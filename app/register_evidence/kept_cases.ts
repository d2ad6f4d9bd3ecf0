import type { CaseRow, ShownByCase } from '#register_evidence/shown_by_case'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What a case of a confirmed register shows, and where it stands. */
export interface ShownCase extends ShownByCase {
  id: number
  registerId: number
  place: number
  isDiffering: boolean
}

/** All that it leads to, ours and unknown ones; one may come several times. */
export const ordersOf = ({ ours, unknown, missing, missingIfOfDays }: ShownByCase) =>
  ours.concat(unknown, missing, missingIfOfDays)

interface StoredCase extends Pick<ShownCase, 'id' | 'registerId' | 'place' | 'isDiffering'> {
  shown: Omit<ShownByCase, 'rows'> & { rows: (Omit<CaseRow, 'tenge'> & { tenge: string })[] }
}

// Of registers that have been replaced since, nothing counts.
const keptCases = (asked: string) => `
  SELECT e.case_id AS id, e.register_id AS "registerId", e.place, e.is_differing AS "isDiffering", e.shown
    FROM ${asked} JOIN partner_register_evidence e ON e.case_id = asked.id
    JOIN partner_registers r ON r.id = e.register_id AND r.state = 'confirmed'`

const selectKept = statement<StoredCase, { ids: number[] }>(
  'register_evidence_kept_cases',
  keptCases('unnest(:ids::integer[]) AS asked (id)')
)

export const readKeptCases = async (
  ids: number[],
  trx: TransactionClientContract
): Promise<ShownCase[]> => (ids.length === 0 ? [] : toShown(await selectKept({ ids }, trx)))

function toShown(found: StoredCase[]): ShownCase[] {
  return found.map(({ id, registerId, place, isDiffering, shown }) => {
    const rows = shown.rows.map((row) => Object.assign(row, { tenge: BigInt(row.tenge) }))
    return Object.assign(shown, { id, registerId, place, isDiffering, rows })
  })
}

interface Period {
  partnerId: number
  from: Date
  to: Date
}

const selectOfPeriod = statement<StoredCase, Period>(
  'register_evidence_cases_of_period',
  keptCases(
    `(SELECT DISTINCT case_id AS id FROM partner_register_evidence_keys
       WHERE partner_id = :partnerId AND at >= :from AND at < :to) asked`
  )
)
/** Cases of orders made in [from, to), and of unknown orders charged in it. */
export const readCasesOfPeriod = async (period: Period, trx: TransactionClientContract) =>
  toShown(await selectOfPeriod(period, trx))

// Joined, not compared with ANY: a prepared plan looks through an array of ten thousand for every row.
const selectByKeys = statement<
  { id: number },
  { partnerId: number; kind: 'order' | 'payment'; keys: string[] }
>(
  'register_evidence_cases_by_keys',
  `SELECT DISTINCT k.case_id AS id FROM (SELECT DISTINCT unnest(:keys::text[]) AS key) asked
     JOIN partner_register_evidence_keys k ON k.key = asked.key AND k.kind = :kind AND k.partner_id = :partnerId`
)
/** Cases that lead to one of these orders or payments. */
export const casesByKeys = async (
  asked: { partnerId: number; kind: 'order' | 'payment'; keys: string[] },
  trx: TransactionClientContract
) => (asked.keys.length === 0 ? [] : idsOf(await selectByKeys(asked, trx)))

// Which payments there are is found first: PostgreSQL would rather look through the payments of all orders of everybody.
const WITH_PAYMENTS = `SELECT DISTINCT k.case_id AS id FROM payments
  JOIN partner_register_evidence_keys k ON k.key = payments.payment AND k.kind = 'payment' AND k.partner_id = :partnerId`

const selectByPaymentsOfPeriod = statement<{ id: number }, Period>(
  'register_evidence_cases_by_payments_of_period',
  `WITH payments AS MATERIALIZED (
     SELECT payment_external_id AS payment FROM orders
      WHERE partner_id = :partnerId AND created_at >= :from AND created_at < :to
      UNION
     SELECT a.external_payment_id FROM confirm_attempts a JOIN orders o ON o.id = a.order_id_sent AND o.partner_id = a.partner_id
      WHERE a.partner_id = :partnerId AND a.received_at >= :from AND (a.http_status <> 200 OR a.names_other_payment)
        AND a.signature_valid AND o.created_at >= :from AND o.created_at < :to
      UNION
     SELECT n.payment_id FROM partner_registers r JOIN partner_register_named_payments n ON n.register_id = r.id
       JOIN orders o ON o.id = n.order_id
      WHERE r.partner_id = :partnerId AND r.state = 'confirmed' AND o.created_at >= :from AND o.created_at < :to)
   ${WITH_PAYMENTS}`
)
/** Cases with a payment of an order made in [from, to): one that paid it, that a confirm has sent in vain, or that a row names for it. */
export const casesByPaymentsOfPeriod = async (period: Period, trx: TransactionClientContract) =>
  idsOf(await selectByPaymentsOfPeriod(period, trx))

const selectByPaymentsOfOrders = statement<
  { id: number },
  { partnerId: number; orderIds: string[] }
>(
  'register_evidence_cases_by_payments_of_orders',
  `WITH asked AS MATERIALIZED (SELECT DISTINCT unnest(:orderIds::text[]) AS id),
        payments AS MATERIALIZED (
          SELECT o.payment_external_id AS payment FROM asked JOIN orders o ON o.id = asked.id AND o.partner_id = :partnerId
           UNION
          SELECT a.external_payment_id FROM asked JOIN confirm_attempts a ON a.order_id_sent = asked.id AND a.partner_id = :partnerId
           WHERE a.signature_valid AND (a.http_status <> 200 OR a.names_other_payment)
           UNION
          SELECT n.payment_id FROM asked JOIN partner_register_named_payments n ON n.order_id = asked.id)
   ${WITH_PAYMENTS}`
)
/** The same of these orders, ours or unknown. */
export const casesByPaymentsOfOrders = async (
  asked: { partnerId: number; orderIds: string[] },
  trx: TransactionClientContract
) => (asked.orderIds.length === 0 ? [] : idsOf(await selectByPaymentsOfOrders(asked, trx)))

const idsOf = (found: { id: number }[]) => found.map(({ id }) => id)
