import { checkLastDays } from '#defects/jobs/check_partners'
import { statement } from '#shared/statement'

/** Partners with a failed confirm whose payment window ended within the last hour and whose order is in no case yet. */
const selectUncheckedPartners = statement<{ id: number }>(
  'failed_confirms_unjudged',
  `SELECT DISTINCT o.partner_id AS id
     FROM journal j, LATERAL (SELECT * FROM orders WHERE id = j.order_id OFFSET 0) o
    WHERE j.name = 'confirm_failed' AND j.at > clock_timestamp() - interval '2 days'
      AND o.stored_status IN ('pending', 'expired')
      AND o.window_ends_at BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp()
      AND NOT EXISTS (SELECT 1 FROM settlement_cases c WHERE c.order_ids @> ARRAY[o.id::text] AND c.partner_id = o.partner_id)
    ORDER BY 1`
)

/** Checks partners with an order whose confirm we failed, as soon as its payment window is over: the order becomes a case. */
export default async function checkFailedConfirms(stopping?: AbortSignal): Promise<void> {
  for (const { id } of await selectUncheckedPartners({})) await checkLastDays(id, stopping)
}
