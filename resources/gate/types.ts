import type { LocalizedText } from '~/texts/texts'

export interface GateEvent {
  id: string
  title: LocalizedText
  venue: LocalizedText
  startsAt: string
  endsAt: string
  isCancelled: boolean
}

export type VerdictCode =
  | 'admitted'
  | 'QR_INVALID'
  /** The check code does not belong to the number that was typed. */
  | 'CHECK_CODE_WRONG'
  /** Too many numbers were typed in a minute. */
  | 'RATE_LIMIT_EXCEEDED'
  | 'TICKET_WRONG_EVENT'
  | 'TICKET_ALREADY_USED'
  | 'TICKET_VOID'
  | 'TICKET_EXPIRED'
  /** A number without network: the phone knows only who must not pass. */
  | 'NEEDS_NETWORK'
  /** The server could not judge this scan. */
  | 'FAILED'

export interface Verdict {
  id: string
  verdict: VerdictCode
  number: string | null
  seat: { sector: LocalizedText; row: string; seat: string } | null
  usedAt: string | null
  gate: string | null
  cause: string | null
  endedAt: string | null
  event: GateEvent | null
  /** To find a failed scan in the server's log. */
  requestId: string | null
  /** The phone judged by itself. */
  isOffline?: boolean
}

export interface Scan {
  id: string
  eventId: string
  gate: string | null
  token?: string
  number?: string
  code?: string
  offlineAt: string | null
  told: VerdictCode | null
}

/** A scan that the phone judged by itself and has still to report. */
export interface WaitingScan {
  scan: Scan
  verdict: Verdict
  /** Why it was set aside: it is sent again only when somebody asks for that. */
  failure?: Failure
}

/** Why the server did not take a report. */
export interface Failure {
  /** `INVALID_SCAN`, `INTERNAL_ERROR`, or `REFUSED` with the status of the answer. */
  cause: string
  status: number | null
  requestId: string | null
}

/** A guest whom the phone let in by itself, and the server would not have. */
export interface Conflict {
  at: string
  verdict: Verdict
}

export interface GateList {
  gates: string[]
  used: [number: number, at: number, gate: number][]
  void: [number: number, cause: string][]
  cursor: string
  now: string
  inside: number
  sold: number
}

export interface GateAnswer {
  event: GateEvent
  keys: JsonWebKey[]
  list: GateList
}

/** What the phone keeps of an event. */
export interface Kept {
  event: GateEvent
  keys: (JsonWebKey & { kid?: string })[]
  used: Record<string, { at: string; gate: string }>
  void: Record<string, string>
  cursor: string | null
  /** When it was last brought up to date, by the server's clock. */
  freshAt: string
  inside: number
  sold: number
}
