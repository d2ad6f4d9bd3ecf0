import platform from '#config/platform'
import { DAY_MS } from '#shared/days'
import { createHmac, timingSafeEqual } from 'node:crypto'

const LIFE_AFTER_EVENT_MS = 30 * DAY_MS

const signatureOf = (ticketId: string) =>
  createHmac('sha256', platform.linkKey.release())
    .update(`ticket-pdf:${ticketId}`)
    .digest('base64url')

/** A signed link that needs no session and stays the same when the event is rescheduled (completions, Tickets). */
export const ticketPdfUrl = (ticketId: string) =>
  `${platform.appUrl}/tickets/${ticketId}.pdf?signature=${signatureOf(ticketId)}`

export function isTicketLink(ticketId: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(ticketId))
  const received = Buffer.from(signature)
  return expected.length === received.length && timingSafeEqual(expected, received)
}

/** The link expires 30 days after the event's end (contract, Ticket). */
export const isLinkExpired = (eventEndsAt: Date, now = new Date()) =>
  now.getTime() > eventEndsAt.getTime() + LIFE_AFTER_EVENT_MS
