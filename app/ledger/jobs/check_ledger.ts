import { findBreaches } from '#ledger/queries/find_breaches'
import { HOUR_MS } from '#shared/days'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

/** More than a day, so that hours without a worker are checked as well. */
const LOOK_BACK_MS = 30 * HOUR_MS

const insertCheck = statement<object, { from: Date; to: Date; breaches: string }>(
  'ledger_check_note',
  'INSERT INTO ledger_checks (checked_from, checked_to, breaches) VALUES (:from, :to, :breaches)'
)
const deleteOldChecks = statement(
  'ledger_check_forget',
  `DELETE FROM ledger_checks WHERE checked_at < clock_timestamp() - interval '90 days' AND breaches = '[]'`
)

/** Compares the latest movements with orders, tickets, memos and payments. Staff see the breaches; a closing checks its own period again. */
export default async function checkLedger(stopping?: AbortSignal): Promise<void> {
  const to = new Date()
  const from = new Date(to.getTime() - LOOK_BACK_MS)
  const scope = { partnerId: null, from, to }
  const breaches = await transaction((trx) => findBreaches(scope, trx), stopping)
  await insertCheck({ from, to, breaches: JSON.stringify(breaches) })
  await deleteOldChecks({})
}
