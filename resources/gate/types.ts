import type { GateEvent, GateList, Verdict as ServerVerdict } from '#gate/phones/gate_props'

export type { GateEvent, GateList }

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

/** A judgement by the server, or by the phone itself. */
export interface Verdict extends Omit<ServerVerdict, 'id' | 'verdict'> {
  id: string
  verdict: VerdictCode
  /** The phone judged without network. */
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
  /** The phone's own refusal without network. */
  refusedOffline: VerdictCode | null
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

/** A guest that the phone admitted by itself and the server refused. */
export interface Conflict {
  at: string
  verdict: Verdict
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
