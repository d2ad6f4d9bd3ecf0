import { mailIssuedStatement } from '#reporting/mails/mail_statement'
import type { Actor } from '#shared/actor'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface IssuedStatement {
  id: number
  number: number
  partnerId: number
  partnerCode: string
  /** The actor of the journal entry `statement_issued`. */
  issuedBy: Actor
}

/** Statements whose mailing is not decided yet. */
const selectUndecided = statement<{ id: number }>(
  'statement_mailings_undecided',
  `SELECT s.id FROM settlement_statements s
    WHERE NOT EXISTS (SELECT 1 FROM statement_mailings m WHERE m.statement_id = s.id) ORDER BY s.id LIMIT 100`
)

/**
 * Marks the mailing of a statement as decided and returns the statement. No row when another worker has decided, or when the
 * statement was withdrawn before.
 */
const decideMailing = statement<IssuedStatement, { id: number }>(
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

/** Mails each issued statement to the contacts who receive every statement. The decision and the mails are one transaction. */
export default async function mailStatements(): Promise<void> {
  for (const { id } of await selectUndecided({})) {
    await transaction(async (trx) => {
      const issued = await decideMailing.first({ id }, trx)
      if (issued) await mailIssuedStatement(issued, issued.issuedBy, trx)
    })
  }
}
