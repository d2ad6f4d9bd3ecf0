import { importPublicKey } from '#catalog/event_keys'
import { findKeyById } from '#catalog/queries/event_keys'
import platform from '#config/platform'
import { statement } from '#shared/statement'
import { parseQrToken } from '#tickets/qr_token'
import { readTicketNumber } from '#tickets/ticket_number'

/** What a guest shows: the QR code, or the number that is printed beside it. */
export type Shown = { token: string } | { number: string }

export interface ShownTicket {
  id: string
  eventId: string
}

const selectByNumber = statement<ShownTicket>(
  'scan_ticket_by_number',
  'SELECT id, event_id AS "eventId" FROM tickets WHERE number = $1'
)

/** Undefined for anything that no event of ours signed, and for a number that we never gave. */
export async function findShownTicket(shown: Shown): Promise<ShownTicket | undefined> {
  if ('token' in shown) return readToken(shown.token)
  const number = readTicketNumber(platform.prefix, shown.number)
  return number ? selectByNumber.first([number]) : undefined
}

async function readToken(token: string): Promise<ShownTicket | undefined> {
  const parsed = parseQrToken(token)
  const key = parsed && (await findKeyById(parsed.kid))
  if (!key || !parsed.isSignedBy(importPublicKey(key.public_jwk))) return undefined
  const { sub: id, event_id: eventId } = parsed.claims
  return key.event_id === eventId ? { id, eventId } : undefined
}
