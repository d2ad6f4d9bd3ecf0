import {
  MOST_FOUND,
  sqlRules,
  type Invariant,
  type Reading,
  type RunScope,
} from '#invariants/invariant'
import { ALL_ORDERS, CHANGED_ORDERS } from '#invariants/rules/changed_orders'
import { statement } from '#shared/statement'
import { renderTicketPdf } from '#tickets/pdf/ticket_pdf'
import { findPrintedTicket } from '#tickets/queries/find_printed_ticket'
import { findShownTicket } from '#tickets/queries/shown_ticket'

/** Tokens and PDFs of one run: a token takes a fraction of a millisecond, a PDF some tens of them. */
const SAMPLED_TOKENS = 200
const SAMPLED_PDFS = 5

const findOrdersWithoutTickets = sqlRules('paid_orders', {
  all: `${ALL_ORDERS} WHERE confirmed_at IS NOT NULL`,
  changed: `SELECT id FROM (${CHANGED_ORDERS}) changed WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id = changed.id AND o.confirmed_at IS NOT NULL)`,
  counterexamples: `
    SELECT 'TICKETS_MISSING' AS code, 'order' AS kind, o.id::text AS id, o.id::text AS label
      FROM looked JOIN orders o ON o.id = looked.id
     WHERE (SELECT count(*) FROM tickets WHERE order_id = o.id)
           <> (SELECT count(*) FROM booking_seats WHERE booking_id = o.booking_id)`,
})

interface SampledTicket {
  id: string
  eventId: string
  orderId: string
  number: string
  token: string
}
const COLUMNS = `t.id, t.event_id AS "eventId", t.order_id AS "orderId", t.number, t.qr_token AS token`

const sampleChanged = statement<SampledTicket, { since: Date; sinceEntry: bigint; atMost: number }>(
  'invariant_tickets_sampled_changed',
  `SELECT ${COLUMNS} FROM (${CHANGED_ORDERS}) changed JOIN tickets t ON t.order_id = changed.id ORDER BY random() LIMIT :atMost`
)
/** Of whole pages of the table: a sorted random sample would read all of it. */
const sampleAll = statement<SampledTicket, { percent: number; atMost: number }>(
  'invariant_tickets_sampled',
  `SELECT ${COLUMNS} FROM tickets t TABLESAMPLE SYSTEM (:percent) ORDER BY random() LIMIT :atMost`
)
const estimateTickets = statement<{ pages: number }>(
  'invariant_tickets_pages',
  `SELECT greatest(1, relpages)::float8 AS pages FROM pg_class WHERE oid = 'tickets'::regclass`
)

async function sampleTickets({ since, sinceEntry }: RunScope, { trx }: Reading) {
  if (since) return sampleChanged({ since, sinceEntry, atMost: SAMPLED_TOKENS }, trx)
  const { pages } = await estimateTickets.one({}, trx)
  // A page has some six tickets; as many pages as tickets are wanted leave room for a thin table.
  const percent = Math.min(100, (SAMPLED_TOKENS / pages) * 100)
  return sampleAll({ percent, atMost: SAMPLED_TOKENS }, trx)
}

/** Every paid order has a ticket for each seat; of a sample, the gate accepts the token, and the PDF can be printed. */
export const findUnusableTickets: Invariant['find'] = async (scope, reading) => {
  const { rowsLookedAt, counterexamples } = await findOrdersWithoutTickets(scope, reading)
  const sample = await sampleTickets(scope, reading)
  for (const [index, ticket] of sample.entries()) {
    const about = { kind: 'order', id: ticket.orderId, label: ticket.number } as const
    if (!(await isAccepted(ticket))) counterexamples.push({ code: 'TOKEN_NOT_ACCEPTED', ...about })
    if (index < SAMPLED_PDFS && !(await isPrintable(ticket)))
      counterexamples.push({ code: 'PDF_NOT_PRINTED', ...about })
    await reading.throttle.pause()
  }
  return {
    rowsLookedAt: rowsLookedAt + sample.length,
    counterexamples: counterexamples.slice(0, MOST_FOUND),
  }
}

/** As the gate reads it: by the public key of the event that the token names. */
async function isAccepted({ id, eventId, token }: SampledTicket) {
  const shown = await findShownTicket({ token })
  return shown?.id === id && shown.eventId === eventId
}

async function isPrintable({ id }: SampledTicket) {
  const found = await findPrintedTicket(id)
  if (!found) return false
  try {
    const pdf = await renderTicketPdf(found.ticket)
    return pdf.subarray(0, 5).toString() === '%PDF-'
  } catch {
    return false
  }
}
