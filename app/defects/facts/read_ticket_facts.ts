import type { OrderFacts, VoidFacts } from '#defects/facts/facts'
import { milliseconds } from '#defects/facts/read_facts'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** What became of an order's tickets after the sale. Few enough to be read in one go. */
export type TicketFacts = Pick<OrderFacts, 'voids' | 'refusedRefunds' | 'keptTickets'>

// A gate without network admitted the guest and learned of the void only when it reported the scan.
const ADMITTED_UNSEEN = `SELECT min(offline_at) FROM ticket_scans s
  WHERE s.ticket_id = t.id AND s.verdict = 'TICKET_VOID' AND s.offline_at IS NOT NULL AND s.details ? 'cause'`
const CLOSED_BEFORE = `SELECT st.issued_at FROM (SELECT * FROM ledger_movements WHERE source = t.order_id AND kind = 'sale' OFFSET 0) m
    JOIN settlement_statements st ON st.id = m.statement_id
  WHERE st.issued_at < t.voided_at`

const VOIDS = `SELECT t.order_id AS "orderId", t.id AS "ticketId", t.price_tenge AS "priceTenge", t.void_cause AS cause,
    ${milliseconds('t.voided_at')} AS "voidedAt", ${milliseconds(`coalesce(t.used_at, (${ADMITTED_UNSEEN}))`)} AS "usedAt",
    ${milliseconds(`(${CLOSED_BEFORE})`)} AS "saleClosedAt"
  FROM orders o JOIN tickets t ON t.order_id = o.id AND t.status = 'void'
  WHERE o.partner_id = :partnerId AND o.confirmed_at IS NOT NULL AND`
const REFUSED = `SELECT o.id AS "orderId", r.ticket_id AS "ticketId"
  FROM refused_refunds r JOIN orders o ON o.id = r.order_id JOIN tickets t ON t.id = r.ticket_id
  WHERE r.partner_id = :partnerId AND`
const KEPT = `SELECT o.id AS "orderId", t.id AS "ticketId"
  FROM orders o JOIN events e ON e.id = o.event_id AND e.cancelled_at IS NOT NULL
  JOIN tickets t ON t.order_id = o.id AND t.status = 'used'
  WHERE o.partner_id = :partnerId AND`
const OF_PERIOD = 'o.created_at >= :from AND o.created_at < :to'
const OF_IDS = 'o.id = ANY(:ids::text[])'

type TicketOfOrder = { orderId: string; ticketId: string }

export const ticketFactsOfPeriod = (
  { partnerId, from, to }: { partnerId: number; from: Date; to: Date },
  trx: TransactionClientContract
) => readTicketFacts(OF_PERIOD, { partnerId, from, to }, trx)

export const ticketFactsOfOrders = (
  partnerId: number,
  ids: string[],
  trx: TransactionClientContract
) => readTicketFacts(OF_IDS, { partnerId, ids }, trx)

/** order → its voids, refused refunds and kept tickets. */
async function readTicketFacts(which: string, params: object, trx: TransactionClientContract) {
  const found = new Map<string, TicketFacts>()
  const of = (orderId: string) => {
    const known = found.get(orderId) ?? { voids: [], refusedRefunds: [], keptTickets: [] }
    found.set(orderId, known)
    return known
  }
  const voids = streamRows<VoidFacts & { orderId: string }>(`${VOIDS} ${which}`, params, trx)
  for await (const { orderId, ...lost } of voids) of(orderId).voids.push(lost)
  const refused = streamRows<TicketOfOrder>(`${REFUSED} ${which}`, params, trx)
  for await (const { orderId, ticketId } of refused) of(orderId).refusedRefunds.push(ticketId)
  const kept = streamRows<TicketOfOrder>(`${KEPT} ${which}`, params, trx)
  for await (const { orderId, ticketId } of kept) of(orderId).keptTickets.push(ticketId)
  return found
}
