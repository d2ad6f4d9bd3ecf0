import type { Language } from '#shared/languages'
import { statement } from '#shared/statement'

/** Staff who may act at any hour. */
export const selectAlertRecipients = statement<{ email: string; language: Language }>(
  'failed_confirms_alerted',
  `SELECT email, language FROM staff WHERE role IN ('admin', 'operations') AND disabled_at IS NULL ORDER BY id`
)
