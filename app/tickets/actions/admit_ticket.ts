import { importPublicKey } from '#catalog/event_keys'
import { findKeyById } from '#catalog/queries/event_keys'
import type { Actor } from '#shared/actor'
import { PLATFORM_OFFSET_MINUTES, atOffset } from '#shared/instants'
import { record } from '#shared/journal'
import type { LocalizedText } from '#shared/localized_text'
import { isId } from '#shared/public_id'
import { Refusal, refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { GateDevice } from '#tickets/queries/find_gate_device'
import { parseQrToken, type TicketClaims } from '#tickets/qr_token'
import type { TicketStatus, VoidCause } from '#tickets/ticket_status'
import { transaction } from '#shared/transaction'

export interface AdmitTicketInput {
  /** The text of the QR code. */
  token: string
  /** The event that this gate lets people in to. */
  eventId: string
  device: GateDevice
  actor: Actor
}

export interface AdmittedTicket {
  id: string
  number: string
  sector_name: LocalizedText
  row_label: string
  seat_label: string
  used_at: Date
}

type ScannedTicket = AdmittedTicket & {
  status: TicketStatus
  order_id: string
  used_gate: string
  void_cause: VoidCause
  ends_at: Date
}

const lockTicket = statement<ScannedTicket>(
  'scan_lock_ticket',
  `SELECT t.id, t.number, t.order_id, t.used_at, t.used_gate, t.void_cause, e.ends_at,
          CASE WHEN t.status = 'active' AND e.ends_at <= clock_timestamp() THEN 'expired' ELSE t.status END AS status,
          sec.name AS sector_name, r.label AS row_label, s.label AS seat_label
     FROM tickets t JOIN events e ON e.id = t.event_id JOIN event_seats s ON s.id = t.event_seat_id
     JOIN sectors sec ON sec.id = s.sector_id JOIN hall_rows r ON r.id = s.row_id
    WHERE t.id = $1 AND t.event_id = $2 FOR UPDATE OF t`
)
const markUsed = statement<{ used_at: Date }>(
  'scan_mark_used',
  `UPDATE tickets SET status = 'used', used_at = clock_timestamp(), used_gate = $2 WHERE id = $1 RETURNING used_at`
)
const logScan = statement(
  'scan_log',
  `INSERT INTO ticket_scans (gate_device_id, event_id, ticket_id, verdict)
   SELECT $1, e.id, t.id, $4 FROM events e LEFT JOIN tickets t ON t.id = $3 WHERE e.id = $2`
)

/** Lets a guest in once: valid becomes used; every scan leaves a row, also the refused (contract, Ticket). */
export default class AdmitTicket {
  async handle(input: AdmitTicketInput): Promise<AdmittedTicket> {
    const claims = await readClaims(input.token)
    try {
      if (!claims) refuse('QR_INVALID')
      if (claims.event_id !== input.eventId)
        refuse('TICKET_WRONG_EVENT', { event_id: claims.event_id })
      return await this.#admit(input, claims)
    } catch (refusal) {
      if (refusal instanceof Refusal) await this.#log(input, claims, refusal.refusalCode)
      throw refusal
    }
  }

  #admit({ eventId, device, actor }: AdmitTicketInput, claims: TicketClaims) {
    return transaction(async (trx) => {
      const ticket = await lockTicket.first([claims.sub, eventId], trx)
      if (!ticket) refuse('QR_INVALID')
      assertAdmissible(ticket)
      const { used_at: usedAt } = await markUsed.one([ticket.id, device.name], trx)
      await logScan([device.id, eventId, ticket.id, 'admitted'], trx)
      const { id, number, order_id: orderId } = ticket
      await record('ticket_admitted', { ticket_id: id, number }, { actor, eventId, orderId }, trx)
      return { ...ticket, used_at: usedAt }
    })
  }

  async #log({ device, eventId }: AdmitTicketInput, claims: TicketClaims | null, verdict: string) {
    if (isId('evt', eventId)) await logScan([device.id, eventId, claims?.sub ?? null, verdict])
  }
}

/** Null for anything that no event of ours signed. */
async function readClaims(token: string): Promise<TicketClaims | null> {
  const parsed = parseQrToken(token)
  const key = parsed && (await findKeyById(parsed.kid))
  if (!key || !parsed.isSignedBy(importPublicKey(key.public_jwk))) return null
  return key.event_id === parsed.claims.event_id ? parsed.claims : null
}

function assertAdmissible(ticket: ScannedTicket) {
  const which = { ticket_id: ticket.id, number: ticket.number }
  const at = (instant: Date) => atOffset(instant, PLATFORM_OFFSET_MINUTES)
  if (ticket.status === 'used') {
    const first = { used_at: at(ticket.used_at), gate: ticket.used_gate }
    refuse('TICKET_ALREADY_USED', { ...first, ...which })
  }
  if (ticket.status === 'void') refuse('TICKET_VOID', { cause: ticket.void_cause, ...which })
  if (ticket.status === 'expired') {
    refuse('TICKET_EXPIRED', { ended_at: at(ticket.ends_at), ...which })
  }
}
