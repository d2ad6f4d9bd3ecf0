import { importPublicKey } from '#catalog/event_keys'
import { findKeyById } from '#catalog/queries/event_keys'
import platform from '#config/platform'
import { statement } from '#shared/statement'
import { isCheckCode } from '#tickets/check_code'
import { parseQrToken } from '#tickets/qr_token'
import { readTicketNumber } from '#tickets/ticket_number'

/** What a guest shows at the gate: the QR code, or the number and check code printed below it. */
export type ShownCode = { token: string } | { number: string; code: string }

export interface ShownTicket {
  id: string
  eventId: string
  /** False for a number with a wrong check code, which does not prove that the guest has the ticket. */
  isProven: boolean
  /** What the token says of itself, for a guest whose ticket we signed and no longer know. */
  printed?: { number: string; space_id: string }
}

const selectByNumber = statement<
  { id: string; eventId: string; qrToken: string },
  { number: string }
>(
  'scan_ticket_by_number',
  'SELECT id, event_id AS "eventId", qr_token AS "qrToken" FROM tickets WHERE number = :number'
)

/** Undefined for a token that no event of ours signed, and for a number that does not exist. */
export const findShownTicket = (shown: ShownCode): Promise<ShownTicket | undefined> =>
  'token' in shown ? readToken(shown.token) : readNumber(shown.number, shown.code)

async function readNumber(typed: string, code: string): Promise<ShownTicket | undefined> {
  const number = readTicketNumber(platform.prefix, typed)
  const ticket = number ? await selectByNumber.first({ number }) : undefined
  if (!ticket) return undefined
  const { id, eventId, qrToken } = ticket
  return { id, eventId, isProven: isCheckCode(qrToken, code) }
}

async function readToken(token: string): Promise<ShownTicket | undefined> {
  const parsed = parseQrToken(token)
  const key = parsed && (await findKeyById(parsed.kid))
  if (!key || !parsed.isSignedBy(importPublicKey(key.public_jwk))) return undefined
  const { sub: id, event_id: eventId, number, space_id: spaceId } = parsed.claims
  if (key.event_id !== eventId) return undefined
  return { id, eventId, isProven: true, printed: { number, space_id: spaceId } }
}
