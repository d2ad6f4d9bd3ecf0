import type { Attention, ChargedRefusals } from '#back_office/overview/overview_props'
import { IS_CHARGED_REFUSAL } from '#back_office/orders/charged_refusal'
import { attentionLine } from '#back_office/overview/attention_line'
import { IS_SILENT } from '#back_office/partners/silence'
import { readOverdue, UNCHECKED_AFTER_MS } from '#invariants/queries/read_overdue'
import { readSettlementAttention } from '#back_office/overview/settlement_attention'
import { statement } from '#shared/statement'

// Of each payment the first refusal counts. An order that was paid later is left out, and one that is in a case: open ones with money
// at risk are lines of their own.
export const selectCharged = statement<ChargedRefusals>(
  'back_office_charged',
  `WITH payments AS (
     SELECT DISTINCT ON (c.order_id_sent, c.external_payment_id) p.name AS partner, c.code, c.order_id_sent, c.received_at AS at,
            c.amount_tenge AS tenge
       FROM partners p JOIN confirm_attempts c ON c.partner_id = p.id AND c.received_at > now() - interval '24 hours'
       LEFT JOIN orders o ON o.id = c.order_id_sent
      WHERE ${IS_CHARGED_REFUSAL}
        AND NOT EXISTS (SELECT 1 FROM settlement_cases k
                         WHERE k.order_ids @> ARRAY[c.order_id_sent] AND k.partner_id = p.id AND k.gone_at IS NULL)
      ORDER BY c.order_id_sent, c.external_payment_id, c.received_at),
   charged AS (
     SELECT partner, code, order_id_sent AS "orderId", min(at) AS at, sum(tenge) AS tenge FROM payments GROUP BY 1, 2, 3)
   SELECT partner, code, count(*)::int AS count, sum(tenge)::float8 AS tenge, min(at) AS "from", max(at) AS "to",
          (array_agg(json_build_object('orderId', "orderId", 'at', at, 'tenge', tenge) ORDER BY at DESC))[:20] AS orders
     FROM charged GROUP BY 1, 2 ORDER BY 4 DESC`
)

// Partners with grants that do not read the feed.
const selectNotPolling = statement<{ name: string }>(
  'back_office_not_polling',
  `SELECT p.name FROM partners p LEFT JOIN feed_reads f ON f.partner_id = p.id
    WHERE ${IS_SILENT}
      AND EXISTS (SELECT 1 FROM event_grants g JOIN events e ON e.id = g.event_id
                   WHERE g.partner_id = p.id AND g.access = 'active' AND e.starts_at > now()) ORDER BY 1`
)
const selectBadEndpoints = statement<{
  name: string
  kind: 'endpoints_failing' | 'endpoints_disabled'
}>(
  'back_office_bad_endpoints',
  `SELECT p.name, CASE e.status WHEN 'disabled' THEN 'endpoints_disabled' ELSE 'endpoints_failing' END AS kind
     FROM webhook_endpoints e JOIN partners p ON p.id = e.partner_id
    WHERE e.status = 'disabled' OR e.failing_since < now() - interval '10 minutes' ORDER BY 1`
)
const selectBadJobs = statement<{ name: string }>(
  'back_office_bad_jobs',
  'SELECT job AS name FROM job_runs WHERE failures_in_row > 2 ORDER BY 1'
)
export const countWorkers = statement<{ count: number }>(
  'back_office_count_workers',
  `SELECT count(*)::int FROM workers WHERE beat_at > clock_timestamp() - interval '45 s'`
)
// Orders whose buyer may have been charged already, and that can still be confirmed.
const selectTroubled = statement<{ name: string }>(
  'back_office_troubled_orders',
  `SELECT o.id AS name FROM orders o
    WHERE o.stored_status = 'pending' AND o.window_ends_at > now()
      AND EXISTS (SELECT 1 FROM confirm_attempts c WHERE c.order_id_sent = o.id AND c.http_status >= 400)
    ORDER BY o.window_ends_at`
)

// Our own failures: the buyer may have been charged and has no ticket. Listed for a day, if the order's case is not ended before;
// an open case with an amount at risk is counted by settlement, however old.
const selectFailed = statement<{ name: string }>(
  'back_office_failed_confirms',
  `SELECT o.id AS name
     FROM journal j, LATERAL (SELECT * FROM orders WHERE id = j.order_id OFFSET 0) o
    WHERE j.name = 'confirm_failed' AND j.at > now() - interval '24 hours' AND o.stored_status IN ('pending', 'expired')
      AND NOT EXISTS (SELECT 1 FROM settlement_cases c
                       WHERE c.order_ids @> ARRAY[o.id::text] AND c.partner_id = o.partner_id
                         AND c.state IN ('resolved', 'dismissed'))
    ORDER BY j.at DESC`
)

// From the newest comparison of the ledger with orders and tickets; the most serious kind.
const selectBreaches = statement<{ name: string }>(
  'back_office_ledger_breaches',
  `SELECT breach ->> 'subject' AS name
     FROM (SELECT breaches FROM ledger_checks ORDER BY id DESC LIMIT 1) newest, jsonb_array_elements(breaches) breach`
)

/** From the latest result of each invariant. */
const selectBrokenInvariants = statement<{ name: string }>(
  'back_office_broken_invariants',
  'SELECT invariant AS name FROM invariant_states WHERE red_since IS NOT NULL ORDER BY red_since, 1'
)

// From the newest verification of each statement.
const selectChangedStatements = statement<{ name: string }>(
  'back_office_changed_statements',
  `SELECT 'SET-' || lpad(s.number::text, greatest(6, length(s.number::text)), '0') AS name
     FROM settlement_statement_checks c JOIN settlement_statements s ON s.id = c.statement_id
    WHERE c.wrong <> '{}' ORDER BY s.number`
)

async function readUnchecked() {
  const overdue = await readOverdue()
  return overdue.filter(({ overdueMs }) => overdueMs > UNCHECKED_AFTER_MS)
}

/** What needs a person now, the most urgent first; kinds without a case are left out. */
export async function readAttention(): Promise<Attention[]> {
  const [
    broken,
    unchecked,
    changed,
    breaches,
    failed,
    troubled,
    endpoints,
    notPolling,
    jobs,
    workers,
    settlement,
  ] = await Promise.all([
    selectBrokenInvariants({}),
    readUnchecked(),
    selectChangedStatements({}),
    selectBreaches({}),
    selectFailed({}),
    selectTroubled({}),
    selectBadEndpoints({}),
    selectNotPolling({}),
    selectBadJobs({}),
    countWorkers.one({}),
    readSettlementAttention(),
  ])
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
  const ofKind = (kind: string) => names(endpoints.filter((each) => each.kind === kind))
  const all = [
    attentionLine('invariants_unchecked', names(unchecked)),
    attentionLine('statements_changed', names(changed)),
    attentionLine('ledger_breached', names(breaches)),
    attentionLine('confirms_failed', names(failed)),
    attentionLine('orders_troubled', names(troubled)),
    attentionLine('endpoints_disabled', ofKind('endpoints_disabled')),
    attentionLine('endpoints_failing', ofKind('endpoints_failing')),
    attentionLine('jobs_failing', names(jobs)),
    attentionLine('not_polling', names(notPolling)),
    ...settlement,
  ].filter(({ count }) => count > 0)
  const withWorker = workers.count === 0 ? [attentionLine('no_worker', []), ...all] : all
  if (broken.length === 0) return withWorker
  return [attentionLine('invariants_broken', names(broken)), ...withWorker]
}
