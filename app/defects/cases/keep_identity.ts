import { caseRow, type FoundCase } from '#defects/cases/save_cases'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * A case is found by its key, the least id of its orders. An order that joins it later may have a lesser id: then the stored
 * case takes the new key, and keeps its number, state, owner and notes.
 *
 * Example: the case of TIX-2026-000009 is resolved; its payment is sent once more, for TIX-2026-000004.
 * Found: TIX-2026-000004, with both orders. The resolved case is now that of TIX-2026-000004.
 *
 * Of several stored cases the one that shares most orders and payments goes on, then the oldest. A stored case that has the key
 * already keeps it.
 */
const adoptKeys = statement<object, { partnerId: number; rows: string }>(
  'settlement_cases_adopt_keys',
  `UPDATE settlement_cases c SET key = chosen.key
     FROM (SELECT DISTINCT ON (found.key) found.key, stored.id
             FROM jsonb_to_recordset(:rows::jsonb) AS found (key text, names text[], order_ids text[], payment_ids text[])
             JOIN settlement_cases stored ON stored.partner_id = :partnerId AND stored.key = ANY (found.names)
            WHERE stored.gone_at IS NULL
              AND NOT EXISTS (SELECT 1 FROM settlement_cases same
                               WHERE same.partner_id = :partnerId AND same.key = found.key)
            ORDER BY found.key,
                     cardinality(ARRAY(SELECT unnest(stored.order_ids || stored.payment_ids)
                                       INTERSECT SELECT unnest(found.order_ids || found.payment_ids))) DESC,
                     stored.id) chosen
    WHERE c.id = chosen.id`
)

/** Gives stored cases the keys under which their stories are found now. */
export async function keepIdentity(
  partnerId: number,
  found: FoundCase[],
  trx: TransactionClientContract
) {
  const rows = found.flatMap((one) => {
    const names = namesOf(one)
    return names.length > 1 ? [{ ...caseRow(one), names }] : []
  })
  if (rows.length > 0) await adoptKeys({ partnerId, rows: JSON.stringify(rows) }, trx)
}

/** The ids under which the story may have been stored: its orders, and those that confirms name and we do not have. */
const namesOf = ({ facts }: FoundCase) => [
  ...new Set([
    ...facts.orders.map(({ id }) => id),
    ...facts.confirmsOfUnknownOrders.map(({ orderIdSent }) => orderIdSent),
  ]),
]
