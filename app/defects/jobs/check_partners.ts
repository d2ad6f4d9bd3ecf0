import { DAY_MS, dayStart } from '#shared/days'
import { checkUnlessRunning } from '#defects/cases/check_period'
import { statement } from '#shared/statement'

/** Longer than any payment window and a night without workers. Older orders with new events are found by `findOlderOrders`. */
const BACK_MS = 2 * DAY_MS

// Partners with recent sales or confirms, an open case, or money moved within the longest refund deadline that terms allow.
const selectBusy = statement<{ id: number }, { from: Date }>(
  'settlement_partners_with_orders',
  `SELECT p.id FROM partners p
    WHERE EXISTS (SELECT 1 FROM confirm_attempts a WHERE a.partner_id = p.id AND a.received_at >= :from)
       OR p.id IN (SELECT DISTINCT o.partner_id FROM orders o WHERE o.created_at >= :from)
       OR EXISTS (SELECT 1 FROM ledger_movements m WHERE m.partner_id = p.id AND m.statement_id IS NULL
                    AND m.effective_at >= :from::timestamptz - interval '366 days')
       OR EXISTS (SELECT 1 FROM settlement_statements s WHERE s.partner_id = p.id AND s.period_to >= :from::timestamptz - interval '366 days')
       OR EXISTS (SELECT 1 FROM settlement_cases c WHERE c.partner_id = p.id AND c.gone_at IS NULL
                    AND c.state IN ('open', 'in_work', 'with_partner'))
    ORDER BY p.id`
)

/** Checks the last days of every partner that may have anything new. */
export default async function checkPartners(stopping?: AbortSignal): Promise<void> {
  for (const partnerId of await partnersToCheck()) await checkLastDays(partnerId, stopping)
}

/** Ids of partners that may have anything new. */
export async function partnersToCheck(): Promise<number[]> {
  const busy = await selectBusy({ from: lastDays().from })
  return busy.map(({ id }) => id)
}

/** Checks a partner's last days; skips a partner that is being checked. */
export const checkLastDays = (partnerId: number, signal?: AbortSignal) =>
  checkUnlessRunning({ partnerId, ...lastDays(), withConduct: false, signal })

/** From two days ago until the end of tomorrow, so that sales of this moment are within. */
export function lastDays() {
  const now = Date.now()
  const from = dayStart(new Date(now - BACK_MS))
  const to = new Date(dayStart(new Date(now)).getTime() + 2 * DAY_MS)
  return { from, to }
}
