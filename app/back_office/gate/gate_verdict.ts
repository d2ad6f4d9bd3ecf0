import { findGateEvent, type GateEvent } from '#back_office/gate/gate_events'
import type { SentScan } from '#back_office/gate/gate_scan_validator'
import type { Staff } from '#staff/queries/find_staff'
import type { Actor } from '#shared/actor'
import type { LocalizedText } from '#shared/localized_text'
import { Refusal } from '#shared/refusals'
import AdmitTicket, { type AdmittedTicket } from '#tickets/actions/admit_ticket'

/** What a phone shows. */
export interface Verdict {
  id: string
  verdict: string
  number: string | null
  seat: { sector: LocalizedText; row: string; seat: string } | null
  usedAt: string | null
  gate: string | null
  cause: string | null
  endedAt: string | null
  /** The event that the ticket is for, when it is another one. */
  event: GateEvent | null
}

/** Judges one scan of a phone and tells the verdict as data: a refusal is an answer like any other here. */
export async function judge(scan: SentScan, staff: Staff, actor: Actor): Promise<Verdict> {
  const { id, eventId, offlineAt, told, token, number = '' } = scan
  try {
    const admitted = await new AdmitTicket().handle({
      eventId,
      shown: token === undefined ? { number } : { token },
      scanner: { name: scan.gate || staff.name, staffId: staff.id },
      phone: { id, offlineAt: offlineAt ? new Date(offlineAt) : null, told },
      actor,
    })
    return toldAdmitted(id, admitted)
  } catch (refusal) {
    if (refusal instanceof Refusal) return toldRefused(id, refusal)
    throw refusal
  }
}

const NOTHING = { number: null, seat: null, usedAt: null, gate: null, cause: null }

function toldAdmitted(id: string, ticket: AdmittedTicket): Verdict {
  const { sector_name: sector, row_label: row, seat_label: seat } = ticket
  const usedAt = ticket.used_at.toISOString()
  const which = { number: ticket.number, seat: { sector, row, seat } }
  const when = { usedAt, gate: ticket.used_gate }
  return { id, verdict: 'admitted', ...NOTHING, ...which, ...when, endedAt: null, event: null }
}

async function toldRefused(id: string, { refusalCode, details }: Refusal): Promise<Verdict> {
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : null)
  const otherEvent = text('event_id')
  return {
    ...{ id, verdict: refusalCode, seat: null, number: text('number') },
    ...{ usedAt: text('used_at'), gate: text('gate'), cause: text('cause') },
    endedAt: text('ended_at'),
    event: otherEvent ? ((await findGateEvent.first([otherEvent])) ?? null) : null,
  }
}
