import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { partnerByCode } from '#partners/queries/find_partner'
import AskForRun, { type AskForRunInput } from '#runs/ask_for_run/ask_for_run'
import type { DocumentKind } from '#runs/run_params'
import { WORKBOOK_VERSION } from '#workbooks/document/document'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { statement } from '#shared/statement'

/** Journal entries about documents, which change none. */
const ABOUT_DOCUMENTS = [
  'run_asked',
  'run_cancelled',
  'run_file_downloaded',
  'settlement_exported',
  'statement_mailed',
  'mail_sent',
  'mail_failed',
  'report_schedule_run',
]

/**
 * A version of everything that a document about a partner is made of; it changes with any of it. The journal covers most, also
 * admitted guests; refused requests, register matches, expired orders and void tickets that a phone admitted offline are not
 * in it. These scans are few and have an index of their own, so the event is only a filter.
 */
export const selectDataVersion = statement<{ version: string }, { partnerId: number | null }>(
  'settlement_data_version',
  `SELECT concat_ws(' ', current_date,
     (SELECT id FROM journal
       WHERE partner_id = :partnerId AND name NOT IN (${ABOUT_DOCUMENTS.map((name) => `'${name}'`).join(', ')})
       ORDER BY partner_id DESC, id DESC LIMIT 1),
     (SELECT max(received_at) FROM confirm_attempts WHERE partner_id = :partnerId),
     (SELECT max(at) FROM refused_refunds WHERE partner_id = :partnerId),
     (SELECT max(matched_at) FROM partner_registers WHERE partner_id = :partnerId),
     (SELECT max(last.id) FROM event_grants g,
             LATERAL (SELECT id FROM journal WHERE event_id = g.event_id ORDER BY event_id DESC, id DESC LIMIT 1) last
       WHERE g.partner_id = :partnerId),
     (SELECT max(s.id) FROM ticket_scans s JOIN event_grants g ON g.event_id = s.event_id
       WHERE g.partner_id = :partnerId AND s.verdict = 'TICKET_VOID' AND s.offline_at IS NOT NULL),
     (SELECT max(id) FROM settlement_issuers),
     (SELECT max(window_ends_at) FROM orders
       WHERE partner_id = :partnerId AND stored_status = 'pending' AND window_ends_at <= clock_timestamp())) AS version`
)

type DocumentRequest<Kind extends DocumentKind> = Omit<
  AskForRunInput<Kind>,
  'dataVersion' | 'partnerCode'
> & {
  partnerCode: string
}

/** Requests a workbook or a defect list. Returns an earlier run while the data, the rules and the format are unchanged. */
export default class RequestDocument {
  async handle<Kind extends DocumentKind>(asked: DocumentRequest<Kind>) {
    return transaction((trx) => this.within(asked, trx))
  }

  /** Requests it within the caller's transaction. */
  async within<Kind extends DocumentKind>(
    asked: DocumentRequest<Kind>,
    trx: TransactionClientContract
  ) {
    const partner = await partnerByCode.first({ code: asked.partnerCode }, trx)
    const { version } = await selectDataVersion.one({ partnerId: partner?.id ?? null }, trx)
    const { version: rules } = await activeRuleSet(trx)
    const dataVersion = JSON.stringify([version, rules, WORKBOOK_VERSION])
    return new AskForRun().within({ ...asked, dataVersion }, trx)
  }
}
