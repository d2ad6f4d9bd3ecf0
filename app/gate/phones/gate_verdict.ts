import type { Verdict } from '#gate/phones/gate_props'
import { findGateEvent } from '#gate/phones/gate_events'
import type { SentScan } from '#gate/phones/gate_scan_validator'
import type { Staff } from '#staff/queries/find_staff'
import type { Actor } from '#shared/actor'
import { readInstant } from '#shared/instants'
import { Refusal } from '#shared/refusals'
import AdmitTicket, { type AdmittedTicket } from '#tickets/admit_ticket/admit_ticket'

const NOTHING: Omit<Verdict, 'id' | 'verdict'> = {
  number: null,
  seat: null,
  usedAt: null,
  gate: null,
  cause: null,
  endedAt: null,
  event: null,
  requestId: null,
}

/** Decides on one scan of a phone. A refusal is an ordinary answer here, so it becomes data too. */
export async function decideScan(scan: SentScan, staff: Staff, actor: Actor): Promise<Verdict> {
  const { id, eventId, offlineAt, refusedOffline, token, number = '', code = '' } = scan
  try {
    const admitted = await new AdmitTicket().handle({
      eventId,
      shown: token === undefined ? { number, code } : { token },
      scanner: { name: scan.gate || staff.name, staffId: staff.id },
      phone: {
        id,
        offlineAt: offlineAt ? readInstant(offlineAt)!.at : null,
        refusedOffline,
      },
      actor,
    })
    return admittedVerdict(id, admitted)
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusedVerdict(id, refusal)
    throw refusal
  }
}

/** Why a scan has no decision: it is malformed, or the error is ours. */
export type FailureCause = 'INVALID_SCAN' | 'INTERNAL_ERROR'

export function failedVerdict(scan: unknown, cause: FailureCause, requestId: string): Verdict {
  const { id } = Object(scan) as { id?: unknown }
  return {
    ...NOTHING,
    id: typeof id === 'string' ? id : null,
    verdict: 'FAILED',
    cause,
    requestId,
  }
}

function admittedVerdict(id: string, ticket: AdmittedTicket): Verdict {
  const { sector_name: sector, row_label: row, seat_label: seat } = ticket
  return {
    ...NOTHING,
    id,
    verdict: 'admitted',
    number: ticket.number,
    seat: { sector, row, seat },
    usedAt: ticket.used_at.toISOString(),
    gate: ticket.used_gate,
  }
}

async function refusedVerdict(id: string, { refusalCode, details }: Refusal): Promise<Verdict> {
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : null)
  const otherEvent = text('event_id')
  return {
    ...NOTHING,
    id,
    verdict: refusalCode,
    number: text('number'),
    usedAt: text('used_at'),
    gate: text('gate'),
    cause: text('cause'),
    endedAt: text('ended_at'),
    event: otherEvent ? ((await findGateEvent.first({ event: otherEvent })) ?? null) : null,
  }
}
