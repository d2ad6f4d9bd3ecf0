import RefreshDefects from '#settlement/actions/refresh_defects'
import { Refusal } from '#shared/refusals'
import { statement } from '#shared/statement'

const DAY_MS = 86_400_000
/** Longer than any payment window, and than a worker is away for a night. */
const BACK_MS = 2 * DAY_MS

const selectBusy = statement<{ id: number }>(
  'settlement_partners_with_orders',
  `SELECT p.id FROM partners p
    WHERE EXISTS (SELECT 1 FROM confirm_attempts a WHERE a.partner_id = p.id AND a.received_at >= $1)
       OR p.id IN (SELECT DISTINCT o.partner_id FROM orders o WHERE o.created_at >= $1)
    ORDER BY p.id`
)

/** Judges the last two days of whoever has sold something in them. A partner whom somebody is checking just now has its turn next time. */
export default async function findDefects(): Promise<void> {
  const now = Date.now()
  const from = new Date(now - BACK_MS)
  // A moment ahead: what is being sold right now belongs to it too.
  const to = new Date(now + DAY_MS)
  for (const { id: partnerId } of await selectBusy([from]))
    await new RefreshDefects().handle({ partnerId, from, to }).catch(passIfRunning)
}

function passIfRunning(error: unknown) {
  if (!(error instanceof Refusal && error.refusalCode === 'CHECK_IS_RUNNING')) throw error
}
