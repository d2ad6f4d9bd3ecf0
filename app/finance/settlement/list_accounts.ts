import { isOpenCase, sumOfOpenExposure } from '#defects/cases/open_exposure'
import type {
  AccountBalances,
  AccountLine,
  AccountTotals,
} from '#finance/settlement/settlement_props'
import type { WithDates } from '#staff_area/page_props'
import { isOverdue, payBy, statementStatus } from '#ledger/statement_status'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'

// Statements of before too: the last one may have days left.
const OVERDUE = `
  SELECT CASE WHEN count(*) > 0 THEN json_build_object(
           'statements', count(*), 'payBy', min(${payBy('o')}), 'tenge', sum(unpaid.due_tenge - unpaid.paid_tenge)) END AS overdue
    FROM settlement_statements o JOIN settlement_statement_payments unpaid ON unpaid.statement_id = o.id
   WHERE o.partner_id = p.id AND ${isOverdue('o', 'unpaid')}`

/** The page shows at most these; the search finds the rest, and the file has all. */
export const MOST_ACCOUNTS = 500

/** Of `partners p`: whether the search shows it. */
export const IS_ASKED_FOR = `(:q::text IS NULL OR position(lower(:q) IN lower(p.name)) > 0 OR position(lower(:q) IN p.code) > 0)`

const selectAccounts = statement<
  WithDates<AccountLine, 'closedUntil'>,
  { q: string | null; limit: number | null }
>(
  'back_office_accounts',
  `SELECT p.code, p.name, s.id AS "statementId", s.number, ${statementStatus('s')} AS status, paid.payment_status AS "paymentStatus", s.period_to AS "closedUntil",
          s.closing_tenge::float8 AS "closingTenge", cases.open AS "openCases", cases.exposure, late.overdue,
          EXISTS (SELECT 1 FROM settlement_terms t WHERE t.partner_id = p.id AND t.set_by IS NOT NULL) AS "hasTerms"
     FROM partners p JOIN settlement_accounts a ON a.partner_id = p.id
     LEFT JOIN settlement_statements s ON s.id = a.last_statement_id
     LEFT JOIN settlement_statement_payments paid ON paid.statement_id = s.id,
          LATERAL (SELECT count(*)::int AS open, ${sumOfOpenExposure('c')} AS exposure
                     FROM settlement_cases c WHERE c.partner_id = p.id AND ${isOpenCase('c')}) cases,
          LATERAL (${OVERDUE}) late
    WHERE ${IS_ASKED_FOR}
    ORDER BY lower(p.name), p.code LIMIT :limit`
)

/** All accounts that are asked for, or the first ones of them. */
export const listAccounts = (q: string | null, limit: number | null = null) =>
  selectAccounts({ q, limit })

/** How many accounts are asked for, and the sums of all of them. */
export const sumAccounts = statement<AccountTotals & { count: number }, { q: string | null }>(
  'back_office_accounts_sums',
  `SELECT asked.count, asked."closingTenge", cases."openCases", cases.exposure
     FROM (SELECT count(*)::int AS count, coalesce(sum(s.closing_tenge), 0)::float8 AS "closingTenge"
             FROM partners p JOIN settlement_accounts a ON a.partner_id = p.id
             LEFT JOIN settlement_statements s ON s.id = a.last_statement_id
            WHERE ${IS_ASKED_FOR}) asked,
          (SELECT count(*)::int AS "openCases", ${sumOfOpenExposure('c')} AS exposure
             FROM settlement_cases c JOIN partners p ON p.id = c.partner_id JOIN settlement_accounts a ON a.partner_id = p.id
            WHERE ${isOpenCase('c')} AND ${IS_ASKED_FOR}) cases`
)

const selectBalances = statement<{ code: string; tenge: number }, { q: string | null }>(
  'back_office_balances',
  `SELECT p.code, (coalesce(s.closing_tenge, 0) + coalesce(open.tenge, 0))::float8 AS tenge
     FROM partners p JOIN settlement_accounts a ON a.partner_id = p.id
     LEFT JOIN settlement_statements s ON s.id = a.last_statement_id
     LEFT JOIN (SELECT partner_id, sum(amount_tenge) AS tenge FROM ledger_movements
                 WHERE statement_id IS NULL GROUP BY partner_id) open ON open.partner_id = p.id
    WHERE ${IS_ASKED_FOR}`
)

/** The present balances of all accounts that are asked for: the last statement plus all open movements. */
export async function readBalances(q: string | null): Promise<AccountBalances> {
  const balances = await selectBalances({ q })
  return {
    byCode: Object.fromEntries(balances.map(({ code, tenge }) => [code, tenge])),
    totalTenge: sumNumbers(balances, ({ tenge }) => tenge),
  }
}
