import platform from '#config/platform'
import { createHmac, timingSafeEqual } from 'node:crypto'

const LIFE_AFTER_EVENT_MS = 30 * 24 * 3600 * 1000

const signatureOf = (ticketId: string) =>
  createHmac('sha256', platform.linkKey.release())
    .update(`ticket-pdf:${ticketId}`)
    .digest('base64url')

/** Opens without a session and never changes, also when the event is moved (completions, Tickets). */
export const ticketPdfUrl = (ticketId: string) =>
  `${platform.appUrl}/tickets/${ticketId}.pdf?signature=${signatureOf(ticketId)}`

export function isTicketLink(ticketId: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(ticketId))
  const received = Buffer.from(signature)
  return expected.length === received.length && timingSafeEqual(expected, received)
}

/** The link stops 30 days after the event's end (contract, Ticket). */
export const isLinkOver = (eventEndsAt: Date, now = new Date()) =>
  now.getTime() > eventEndsAt.getTime() + LIFE_AFTER_EVENT_MS
