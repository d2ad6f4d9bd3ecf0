import { PLATFORM_OFFSET_MINUTES } from '#shared/days'
import type { Actor } from '#shared/actor'
import { atOffset } from '#shared/instants'
import { record } from '#shared/journal'
import type { LocalizedText } from '#shared/localized_text'
import { isId } from '#shared/public_id'
import { Refusal, refuse, type RefusalCode } from '#shared/refusals'
import { enter } from '#shared/rate_limit'
import { statement } from '#shared/statement'
import {
  findScan,
  recordScan,
  type EarlierScan,
  type PhoneScan,
  type Scanner,
} from '#tickets/admit_ticket/scan_log'
import { findShownTicket, type ShownCode, type ShownTicket } from '#tickets/queries/shown_ticket'
import type { TicketStatus, VoidCause } from '#tickets/ticket_status'
import { transaction } from '#shared/transaction'

export interface AdmitTicketInput {
  shown: ShownCode
  /** The event of this gate. */
  eventId: string
  scanner: Scanner
  /** Set for scans of a phone, which may send them later and more than once. */
  phone?: PhoneScan
  actor: Actor
}

export interface AdmittedTicket {
  id: string
  number: string
  sector_name: LocalizedText
  row_label: string
  seat_label: string
  used_at: Date
  used_gate: string
}

type ScannedTicket = AdmittedTicket & {
  status: TicketStatus
  order_id: string
  void_cause: VoidCause
  ends_at: Date
}

interface ScanKey {
  ticketId: string | null
  eventId: string
  at: Date | null
}

// Apart from the reading: a statement that waits for the lock reads the event as it was before it waited.
const lockTicket = statement<object, { ticketId: string }>(
  'scan_lock_ticket',
  'SELECT 1 FROM tickets WHERE id = :ticketId FOR UPDATE'
)

/**
 * `:at` is when a phone without network admitted the guest; later times than now count as now.
 * The event's end decides at that moment, even if the sweep has stored `expired` since.
 */
const readTicket = statement<ScannedTicket, ScanKey>(
  'scan_read_ticket',
  `SELECT t.id, t.number, t.order_id, t.used_at, t.used_gate, t.void_cause, e.ends_at,
         CASE WHEN t.status NOT IN ('active', 'expired') THEN t.status
              WHEN e.ends_at <= least(:at::timestamptz, clock_timestamp()) THEN 'expired'
              ELSE 'active' END AS status,
         sec.name AS sector_name, r.label AS row_label, s.label AS seat_label
    FROM tickets t JOIN events e ON e.id = t.event_id JOIN event_seats s ON s.id = t.event_seat_id
    JOIN sectors sec ON sec.id = s.sector_id JOIN hall_rows r ON r.id = s.row_id
   WHERE t.id = :ticketId AND t.event_id = :eventId`
)
const markUsed = statement<
  { used_at: Date },
  { ticketId: string; scannerName: string; at: Date | null }
>(
  'scan_mark_used',
  `UPDATE tickets SET status = 'used', used_gate = :scannerName,
          used_at = greatest(issued_at, least(:at::timestamptz, clock_timestamp()))
    WHERE id = :ticketId RETURNING used_at`
)

/** More than a person types; at this rate, guessing all 32^4 check codes of a ticket takes 73 days. */
const TYPED_PER_MINUTE = 10

/** Admits a guest once: active becomes used. Every scan is recorded, refused ones too (contract, Ticket). */
export default class AdmitTicket {
  async handle(input: AdmitTicketInput): Promise<AdmittedTicket> {
    const { shown, eventId, phone } = input
    const earlier = phone && (await findScan.first({ phoneId: phone.id }))
    if (earlier) return repeatAnswer(earlier, eventId)
    const ticket = await findShownTicket(shown)
    try {
      // The phone has refused the guest already: the scan is only recorded.
      if (phone?.refusedOffline) throw new Refusal(phone.refusedOffline)
      // First, so that beyond the limit even a right code is refused.
      if ('number' in shown) await countTypedCode(input.scanner)
      if (!ticket) refuse('QR_INVALID')
      if (!ticket.isProven) refuse('CHECK_CODE_WRONG')
      if (ticket.eventId !== eventId) refuse('TICKET_WRONG_EVENT', { event_id: ticket.eventId })
      return await this.#admit(input, ticket)
    } catch (refusal) {
      if (refusal instanceof Refusal) await this.#recordRefused(input, ticket?.id ?? null, refusal)
      throw refusal
    }
  }

  #admit({ eventId, scanner, phone, actor }: AdmitTicketInput, shown: ShownTicket) {
    const { id: ticketId, printed } = shown
    const at = phone?.offlineAt ?? null
    return transaction(async (trx) => {
      await lockTicket({ ticketId }, trx)
      const ticket = await readTicket.first({ ticketId, eventId, at }, trx)
      // Signed by us and unknown: a guest of the gap after a restore, whom staff find by number and seat.
      if (!ticket) refuse('QR_INVALID', printed)
      // The same scan may have been sent twice at once: the other request held the lock on the ticket until now.
      const recorded = phone && (await findScan.first({ phoneId: phone.id }, trx))
      if (recorded?.verdict === 'admitted') return ticket
      assertAdmissible(ticket)
      const { used_at: usedAt } = await markUsed.one(
        { ticketId: ticket.id, scannerName: scanner.name, at },
        trx
      )
      await recordScan({ scanner, phone, eventId, ticketId, verdict: 'admitted' }, trx)
      const { id, number, order_id: orderId } = ticket
      const change = { ticket_id: id, number, ...(at && { offline_at: at.toISOString() }) }
      await record('ticket_admitted', change, { actor, eventId, orderId }, trx)
      return { ...ticket, used_at: usedAt, used_gate: scanner.name }
    })
  }

  async #recordRefused(
    { scanner, phone, eventId }: AdmitTicketInput,
    ticketId: string | null,
    { refusalCode: verdict, details }: Refusal
  ) {
    if (!isId('evt', eventId)) return
    await recordScan({ scanner, phone, eventId, ticketId, verdict, details })
  }
}

/** Counts right and wrong codes, so that guesses that are sent at once are limited too. */
async function countTypedCode(scanner: Scanner) {
  const who = 'staffId' in scanner ? `staff:${scanner.staffId}` : `device:${scanner.deviceId}`
  const budget = { key: `typed-tickets:${who}`, perMinute: TYPED_PER_MINUTE }
  const { refusedBy, retryAfterSeconds } = await enter(budget)
  if (refusedBy) refuse('RATE_LIMIT_EXCEEDED', { retry_after: retryAfterSeconds })
}

/** Answers a scan that was sent before in the same way: the first answer may have been lost. */
async function repeatAnswer(
  { verdict, details, ticket_id: ticketId }: EarlierScan,
  eventId: string
) {
  if (verdict !== 'admitted') throw new Refusal(verdict as RefusalCode, details ?? {})
  return (await readTicket.first({ ticketId, eventId, at: null })) ?? refuse('QR_INVALID')
}

function assertAdmissible(ticket: ScannedTicket) {
  const ticketOf = { ticket_id: ticket.id, number: ticket.number }
  const at = (instant: Date) => atOffset(instant, PLATFORM_OFFSET_MINUTES)
  if (ticket.status === 'used') {
    const first = { used_at: at(ticket.used_at), gate: ticket.used_gate }
    refuse('TICKET_ALREADY_USED', { ...first, ...ticketOf })
  }
  if (ticket.status === 'void') refuse('TICKET_VOID', { cause: ticket.void_cause, ...ticketOf })
  if (ticket.status === 'expired') {
    refuse('TICKET_EXPIRED', { ended_at: at(ticket.ends_at), ...ticketOf })
  }
}
