import { isSignedBy, readToken } from './token.js'
import type { Kept, PhoneVerdict, PhoneVerdictCode, Scan } from './types.js'

/** The key of a ticket in the list: the digits of its number. */
export const digitsOf = (number: string) =>
  String(Number(/\d+$/.exec(number.trim())?.[0] ?? Number.NaN))

const nothing = (id: string) => ({
  id,
  number: null,
  seat: null,
  usedAt: null,
  gate: null,
  cause: null,
  endedAt: null,
  event: null,
  requestId: null,
  isOffline: true,
})

/** The phone's own verdict, from its stored keys and list. */
export async function judgeAlone(scan: Scan, kept: Kept, now: Date): Promise<PhoneVerdict> {
  const say = (verdict: PhoneVerdictCode, more: Partial<PhoneVerdict> = {}): PhoneVerdict => ({
    ...nothing(scan.id),
    verdict,
    ...more,
  })
  const token = scan.token === undefined ? null : readToken(scan.token)
  if (scan.token !== undefined && !token) return say('QR_INVALID')
  if (token && token.claims.event_id !== kept.event.id) return say('TICKET_WRONG_EVENT')
  if (token && !(await isSignedBy(token, kept.keys))) return say('QR_INVALID')

  const number = token?.claims.number ?? scan.number!
  const standing = standingOf(digitsOf(number), kept)
  if (standing) return say(standing.verdict, { number, ...standing })
  const isOver = new Date(kept.event.endsAt) <= now || (token && token.claims.exp * 1000 <= +now)
  if (isOver) return say('TICKET_EXPIRED', { number, endedAt: kept.event.endsAt })
  // A typed number proves nothing, because the list holds only refused tickets.
  if (!token) return say('NEEDS_NETWORK', { number })
  return say('admitted', { number })
}

function standingOf(digits: string, { event, used, void: voided }: Kept) {
  const first = used[digits]
  if (first)
    return { verdict: 'TICKET_ALREADY_USED' as const, usedAt: first.at, gate: first.gate || null }
  const cause = event.isCancelled ? 'event_cancelled' : voided[digits]
  return cause ? { verdict: 'TICKET_VOID' as const, cause } : null
}
