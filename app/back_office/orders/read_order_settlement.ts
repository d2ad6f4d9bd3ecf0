import type { OrderCase, OrderSettlement, OrderStatement } from '#back_office/orders/orders_props'
import { exposureOf, isOpenCase } from '#defects/cases/open_exposure'
import { partsOfRegisters } from '#reconciliation/store/register_parts'
import { statementNumber, statementStatus } from '#ledger/statement_status'
import { statement } from '#shared/statement'

/** A payment for a thousand orders is one line; a ticket register has a line for each ticket. */
const MOST_LINES = 50

// A partner that confirms another's order has a case about it too.
export const casesOfOrder = statement<OrderCase, { id: string }>(
  'back_office_order_cases',
  `SELECT c.id, c.state, c.chain, ${exposureOf('c')} AS exposure, (${isOpenCase('c')}) AS "isOpen"
     FROM settlement_cases c
    WHERE c.gone_at IS NULL
      AND c.id IN (SELECT id FROM settlement_cases WHERE order_ids @> ARRAY[:id]
                   UNION SELECT case_id FROM settlement_defects WHERE order_id = :id AND gone_at IS NULL)
    ORDER BY c.occurred_at DESC, c.id DESC`
)

// Rows that were judged together with the order: a row for a cart names one order alone.
const selectRegisterLines = statement<
  OrderSettlement['registerLines'][number],
  { id: string; most: number }
>(
  'back_office_order_register_lines',
  `SELECT r.id AS "registerId", r.file_name AS "fileName", r.state, w.line, c.category, w.amount_tenge::float8 AS tenge,
          (SELECT count(*)::int FROM partner_register_case_orders other WHERE other.case_id = c.id AND other.order_id <> :id) AS "otherOrders"
     FROM partner_register_cases c JOIN partner_registers r ON r.id = c.register_id AND r.state <> 'dropped'
     LEFT JOIN partner_register_case_rows l ON l.case_id = c.id
     LEFT JOIN partner_register_rows w ON w.register_id = l.register_id AND w.line = l.line
    WHERE c.id IN (SELECT case_id FROM partner_register_case_orders WHERE order_id = :id
                   UNION SELECT id FROM partner_register_cases WHERE meant_order_id = :id)
    ORDER BY r.id DESC, w.line LIMIT :most`
)

type StatementRow = Omit<OrderStatement, 'number'> & { number: number | null }

// A movement is found by its source. A withdrawn statement keeps its lines, and the statement after it may have them too.
const selectStatements = statement<StatementRow, { id: string }>(
  'back_office_order_statements',
  `WITH moved AS (
     SELECT id, statement_id, amount_tenge FROM ledger_movements
      WHERE source = ANY (ARRAY[:id] || ARRAY(SELECT id::text FROM tickets WHERE order_id = :id)))
   SELECT s.id, s.number, s.period_from AS "from", s.period_to AS "to", ${statementStatus('s')} AS status,
          count(*)::int AS movements, sum(lines.amount_tenge)::float8 AS tenge
     FROM (SELECT statement_id, amount_tenge FROM moved
           UNION ALL SELECT w.statement_id, m.amount_tenge FROM moved m JOIN settlement_superseded_lines w ON w.movement_id = m.id) lines
     LEFT JOIN settlement_statements s ON s.id = lines.statement_id
    GROUP BY s.id ORDER BY s.id DESC NULLS FIRST`
)

/** What finance has about an order: its cases, lines of registers, and statements with its movements. */
export async function readOrderSettlement(id: string): Promise<OrderSettlement> {
  const [cases, registerLines, statements] = await Promise.all([
    casesOfOrder({ id }),
    selectRegisterLines({ id, most: MOST_LINES }),
    selectStatements({ id }),
  ])
  const registerIds = registerLines.map(({ registerId }) => registerId)
  return {
    cases,
    registerLines,
    partsOfRegisters: await partsOfRegisters([...new Set(registerIds)]),
    statements: statements.map((one) => ({
      ...one,
      number: one.number === null ? null : statementNumber(one.number),
    })),
  }
}
