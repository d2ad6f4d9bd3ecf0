import platform from '#config/platform'
import { DAY_MS } from '#shared/days'
import { isLinkMac, linkMac } from '#shared/link_key'

const LIFE_AFTER_EVENT_MS = 30 * DAY_MS

const MAC_BYTES = 32
const signedText = (ticketId: string) => `ticket-pdf:${ticketId}`

/** A signed link that needs no session and stays the same when the event is rescheduled (completions, Tickets). */
export const ticketPdfUrl = (ticketId: string) =>
  `${platform.appUrl}/tickets/${ticketId}.pdf?signature=${linkMac(signedText(ticketId)).toString('base64url')}`

export function isTicketLink(ticketId: string, signature: string): boolean {
  const received = Buffer.from(signature, 'base64url')
  // Base64 has several spellings of the same bytes; only ours is a link of ours.
  return (
    received.toString('base64url') === signature &&
    isLinkMac(signedText(ticketId), received, MAC_BYTES)
  )
}

/** The link expires 30 days after the event's end (contract, Ticket). */
export const isLinkExpired = (eventEndsAt: Date, now = new Date()) =>
  now.getTime() > eventEndsAt.getTime() + LIFE_AFTER_EVENT_MS
