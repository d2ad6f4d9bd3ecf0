import { statement } from '#shared/statement'
import type { Actor } from '#shared/actor'

export interface IssuedStatement {
  id: number
  number: number
  partnerId: number
  partnerCode: string
  /** Who issued it, as the journal has it. */
  issuedBy: Actor
}

/** Statements for which nobody has decided yet who is mailed. */
export const selectUndecided = statement<{ id: number }>(
  'statement_mailings_undecided',
  `SELECT s.id FROM settlement_statements s
    WHERE NOT EXISTS (SELECT 1 FROM statement_mailings m WHERE m.statement_id = s.id) ORDER BY s.id LIMIT 100`
)

/**
 * The statement, with the decision noted; no row when another worker decides at this moment, or when it was withdrawn before
 * anybody was mailed.
 */
export const decideMailing = statement<IssuedStatement, { id: number }>(
  'statement_mailing_decide',
  `WITH decided AS (
     INSERT INTO statement_mailings (statement_id) VALUES (:id) ON CONFLICT DO NOTHING RETURNING statement_id)
   SELECT s.id, s.number, s.partner_id AS "partnerId", p.code AS "partnerCode",
          jsonb_build_object('kind', e.actor_kind, 'name', e.actor, 'requestId', e.request_id) AS "issuedBy"
     FROM decided JOIN settlement_statements s ON s.id = decided.statement_id AND s.status <> 'superseded'
     JOIN partners p ON p.id = s.partner_id,
          LATERAL (SELECT actor_kind, actor, request_id FROM journal
                    WHERE partner_id = s.partner_id AND name = 'statement_issued'
                    ORDER BY partner_id DESC, id DESC LIMIT 1) e`
)
