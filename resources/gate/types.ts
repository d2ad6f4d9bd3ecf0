import type { GateAnswer, GateEvent, Verdict as ServerVerdict } from '#gate/phones/gate_props'
import type { SentScan } from '#gate/phones/gate_scan_validator'
import type { RefusalCode } from '#shared/refusals'

export type { GateAnswer, GateEvent }

/** As the phone sends it. */
export type Scan = SentScan

/** What a phone without network says; it knows only who must not pass, so that a number needs the network. */
export type PhoneVerdictCode = 'admitted' | NonNullable<Scan['refusedOffline']> | 'NEEDS_NETWORK'

/** `FAILED`: the server could not judge this scan. */
export type VerdictCode =
  PhoneVerdictCode | Extract<RefusalCode, 'CHECK_CODE_WRONG' | 'RATE_LIMIT_EXCEEDED'> | 'FAILED'

/** A judgement by the server, or by the phone itself. */
export interface Verdict extends Omit<ServerVerdict, 'id' | 'verdict'> {
  id: string
  verdict: VerdictCode
  /** The phone judged without network. */
  isOffline?: boolean
}

export interface PhoneVerdict extends Verdict {
  verdict: PhoneVerdictCode
}

/** A scan that the phone judged by itself and has still to report. */
export interface WaitingScan {
  scan: Scan
  verdict: PhoneVerdict
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

/** What the phone keeps of an event. */
export interface Kept {
  event: GateEvent
  keys: GateAnswer['keys']
  used: Record<string, { at: string; gate: string }>
  void: Record<string, string>
  cursor: string | null
  /** When it was last brought up to date, by the server's clock. */
  freshAt: string
  inside: number
  sold: number
}
