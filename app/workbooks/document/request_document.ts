import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { partnerByCode } from '#partners/queries/find_partner'
import AskForRun, { type AskForRunInput } from '#runs/actions/ask_for_run'
import type { DocumentKind } from '#runs/run_params'
import { WORKBOOK_VERSION } from '#workbooks/document/document'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { statement } from '#shared/statement'

/** Entries that tell of a document, and change none. */
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
 * Changes whenever a document about the partner could say something else. What happens to the partner and in its events is
 * in the journal, all but refused requests and scans, matches of a register, and orders whose window ends by itself.
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
     (SELECT max(id) FROM ticket_scans),
     (SELECT max(window_ends_at) FROM orders
       WHERE partner_id = :partnerId AND stored_status = 'pending' AND window_ends_at <= clock_timestamp())) AS version`
)

type Asked<Kind extends DocumentKind> = Omit<
  AskForRunInput<Kind>,
  'dataVersion' | 'partnerCode'
> & {
  partnerCode: string
}

/** Asks for a workbook or a list of defects; the one that was written already, as long as it would say the same. */
export default class AskForDocument {
  async handle<Kind extends DocumentKind>(asked: Asked<Kind>) {
    return transaction((trx) => this.within(asked, trx))
  }

  /** In the transaction of what else depends on it. */
  async within<Kind extends DocumentKind>(asked: Asked<Kind>, trx: TransactionClientContract) {
    const partner = await partnerByCode.first({ code: asked.partnerCode }, trx)
    const { version } = await selectDataVersion.one({ partnerId: partner?.id ?? null }, trx)
    const { version: rules } = await activeRuleSet(trx)
    const dataVersion = JSON.stringify([version, rules, WORKBOOK_VERSION])
    return new AskForRun().within({ ...asked, dataVersion }, trx)
  }
}
