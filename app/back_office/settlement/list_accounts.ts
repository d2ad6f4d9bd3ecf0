import { statement } from '#shared/statement'

export interface AccountLine {
  code: string
  name: string
  hasTerms: boolean
  /** Of the last statement. */
  statementId: number | null
  number: number | null
  status: string | null
  closedUntil: string | null
  /** What the partner owed us at its end. */
  closingTenge: number | null
  openCases: number
  buyersTenge: number
}

const selectAccounts = statement<AccountLine>(
  'back_office_accounts',
  `SELECT p.code, p.name, s.id AS "statementId", s.number, s.status, s.period_to AS "closedUntil",
          s.closing_tenge::float8 AS "closingTenge", cases.open AS "openCases", cases.tenge::float8 AS "buyersTenge",
          EXISTS (SELECT 1 FROM settlement_terms t WHERE t.partner_id = p.id AND t.set_by IS NOT NULL) AS "hasTerms"
     FROM partners p JOIN settlement_accounts a ON a.partner_id = p.id
     LEFT JOIN settlement_statements s ON s.id = a.last_statement_id,
          LATERAL (SELECT count(*)::int AS open,
                          coalesce(sum(exposure_tenge) FILTER (WHERE exposure_party = 'BUYER'), 0) AS tenge
                     FROM settlement_cases c
                    WHERE c.partner_id = p.id AND c.gone_at IS NULL AND c.state NOT IN ('resolved', 'dismissed')) cases
    WHERE ($1::text IS NULL OR position(lower($1) IN lower(p.name)) > 0 OR position(lower($1) IN p.code) > 0)
    ORDER BY lower(p.name), p.code LIMIT 500`
)

export const listAccounts = (q: string | null) => selectAccounts([q])
