import { findBreaches } from '#ledger/queries/find_breaches'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const HOUR_MS = 3_600_000
/** More than a day, so that no hour without a worker goes unchecked. */
const BACK_MS = 30 * HOUR_MS

const noteCheck = statement<object, { from: Date; to: Date; breaches: string }>(
  'ledger_check_note',
  'INSERT INTO ledger_checks (checked_from, checked_to, breaches) VALUES (:from, :to, :breaches)'
)
const forgetOld = statement(
  'ledger_check_forget',
  `DELETE FROM ledger_checks WHERE checked_at < clock_timestamp() - interval '90 days' AND breaches = '[]'`
)

/** Compares what moved with what was sold and voided of late; staff see what disagrees, and nothing is closed with it. */
export default async function checkLedger(stopping?: AbortSignal): Promise<void> {
  const to = new Date()
  const from = new Date(to.getTime() - BACK_MS)
  const scope = { partnerId: null, from, to }
  const breaches = await transaction((trx) => findBreaches(scope, trx), stopping)
  await noteCheck({ from, to, breaches: JSON.stringify(breaches) })
  await forgetOld({})
}
