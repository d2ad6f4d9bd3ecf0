import {
  MOST_FOUND,
  sqlRules,
  type Counterexample,
  type Invariant,
  type SqlRule,
} from '#invariants/invariant'
import { countConfirmedOrders, findLedgerBreaches } from '#ledger/queries/find_breaches'
import { IS_LINKED } from '#ledger/queries/verify_statement'
import { statement } from '#shared/statement'

const selectOrdersOfTickets = statement<
  { ticketId: string; orderId: string },
  { ticketIds: string[] }
>(
  'invariant_orders_of_tickets',
  'SELECT id AS "ticketId", order_id AS "orderId" FROM tickets WHERE id = ANY (:ticketIds::text[])'
)
const selectPartnerCodes = statement<{ id: number; code: string }, { ids: number[] }>(
  'invariant_partner_codes',
  'SELECT id, code FROM partners WHERE id = ANY (:ids::int[])'
)

/** The rules are those by which a period is closed; here they are run over all partners. */
export const findLedgerContradictions: Invariant['find'] = async ({ since, asOf }, { trx }) => {
  const scope = { partnerId: null, from: since ?? new Date(0), to: new Date(asOf) }
  const { orders } = await countConfirmedOrders.one(scope, trx)
  const all = await findLedgerBreaches(scope, trx)
  const breaches = all.slice(0, MOST_FOUND)
  const ticketIds = breaches.map(({ subject }) => subject)
  const ofTickets = await selectOrdersOfTickets({ ticketIds }, trx)
  const orderOfTicket = new Map(ofTickets.map(({ ticketId, orderId }) => [ticketId, orderId]))
  const partners = await selectPartnerCodes({ ids: breaches.map((one) => one.partnerId) }, trx)
  const codeOfPartner = new Map(partners.map(({ id, code }) => [id, code]))
  const counterexamples = breaches.map(({ code, subject, partnerId }): Counterexample => {
    const statementId = /^statement:(\d+)$/.exec(subject)?.[1]
    if (statementId) return { code, kind: 'statement', id: statementId, label: subject }
    // Memos and payments are found on the page of their partner's account.
    if (subject.includes(':'))
      return { code, kind: 'partner', id: codeOfPartner.get(partnerId) ?? '', label: subject }
    return { code, kind: 'order', id: orderOfTicket.get(subject) ?? subject, label: subject }
  })
  return { rowsLookedAt: orders, counterexamples }
}

/** A statement is verified each night; `verify_statements` allows two days, and a turn may be missed. */
const LONGEST_UNVERIFIED = `interval '4 days'`

const STATEMENTS: SqlRule = {
  all: 'SELECT id FROM settlement_statements',
  changed: null,
  counterexamples: `
    SELECT * FROM (
      SELECT CASE WHEN c.wrong <> '{}' THEN 'STATEMENT_CHANGED'
                  WHEN NOT ${IS_LINKED} THEN 'CHAIN_BROKEN'
                  WHEN coalesce(c.checked_at, s.issued_at) < :asOf::timestamptz - ${LONGEST_UNVERIFIED} THEN 'NOT_VERIFIED' END AS code,
             'statement' AS kind, s.id::text AS id,
             'SET-' || lpad(s.number::text, greatest(6, length(s.number::text)), '0') AS label
        FROM looked JOIN settlement_statements s ON s.id = looked.id
        LEFT JOIN settlement_statements before ON before.id = s.prev_id
        LEFT JOIN settlement_statement_checks c ON c.statement_id = s.id) judged
     WHERE code IS NOT NULL`,
}

// The next statement continues the one that the account names.
const LAST_STATEMENTS: SqlRule = {
  all: 'SELECT partner_id, last_statement_id FROM settlement_accounts',
  changed: null,
  counterexamples: `
    SELECT 'LAST_STATEMENT_WRONG' AS code, 'partner' AS kind, p.code AS id, p.code AS label
      FROM looked JOIN partners p ON p.id = looked.partner_id
     WHERE last_statement_id IS DISTINCT FROM (
       SELECT id FROM settlement_statements s WHERE s.partner_id = looked.partner_id AND status <> 'superseded'
        ORDER BY period_from DESC LIMIT 1)`,
}

export const findBrokenStatements = sqlRules('statements', STATEMENTS, LAST_STATEMENTS)

/** Memos and payments as they are now, with the hash that their seal has (migration 100). */
const DOCUMENTS = `
  SELECT 'payment:' || d.id AS document, d.partner_id, seal_of_payment(d) AS sha256 FROM settlement_payments d
  UNION ALL SELECT 'memo:' || d.id, d.partner_id, seal_of_memo(d) FROM settlement_memos d
  UNION ALL SELECT 'decision:' || d.id, d.partner_id, seal_of_decision(d) FROM settlement_memos d WHERE d.outcome IS NOT NULL`

/** Every memo and payment, whether a statement covers it or not, is as it was recorded (ADR 19). */
export const findChangedDocuments = sqlRules('documents', {
  all: DOCUMENTS,
  changed: null,
  counterexamples: `
    SELECT CASE WHEN looked.document IS NULL THEN 'DOCUMENT_GONE' WHEN seal.document IS NULL THEN 'DOCUMENT_NOT_SEALED'
                ELSE 'DOCUMENT_CHANGED' END AS code,
           'partner' AS kind, p.code AS id, coalesce(looked.document, seal.document) AS label
      FROM looked FULL JOIN settlement_seals seal ON seal.document = looked.document
      JOIN partners p ON p.id = coalesce(looked.partner_id, seal.partner_id)
     WHERE looked.sha256 IS DISTINCT FROM seal.sha256`,
})
