import type { FullyLocalizedText, LocalizedText } from '#shared/localized_text'
import type { JsonWebKey } from 'node:crypto'

export interface GateEvent {
  id: string
  title: FullyLocalizedText
  venue: LocalizedText
  startsAt: string
  endsAt: string
  isCancelled: boolean
}

export interface GatePage {
  /** Events that a phone can be set to, the soonest first. */
  events: GateEvent[]
}

/** Tickets that admit nobody, for a phone that judges without network. */
export interface GateList {
  /** Gates and posts; a used ticket names one by its place in this list. */
  gates: string[]
  /** Digits of the number, second of use, place of the gate. */
  used: [number: number, at: number, gate: number][]
  /** Digits of the number, cause. */
  void: [number: number, cause: string][]
  /** The next request asks with it for later changes only. */
  cursor: string
  now: string
  inside: number
  sold: number
}

/** What a phone fetches of its event. */
export interface GateAnswer {
  event: GateEvent
  /** Public keys of the event, by which the phone verifies QR codes. */
  keys: JsonWebKey[]
  list: GateList
}

/** The server's judgement of one scan. */
export interface Verdict {
  /** As the phone sent it; null when it sent none. */
  id: string | null
  /** `admitted`, the code of a refusal, or `FAILED` when the scan could not be judged. */
  verdict: string
  number: string | null
  seat: { sector: LocalizedText; row: string; seat: string } | null
  usedAt: string | null
  gate: string | null
  cause: string | null
  endedAt: string | null
  /** The event of the ticket, when it is another one. */
  event: GateEvent | null
  /** To find a failed scan in our log. */
  requestId: string | null
}
