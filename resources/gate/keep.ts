import type { Conflict, GateAnswer, Kept, PhoneVerdict, Scan, WaitingScan } from './types.js'

/** The phone's local storage. Each waiting scan has its own key, so that two tabs lose none. */
const SETTINGS = 'gate.settings'
const CONFLICTS = 'gate.conflicts'
const WAITING = 'gate.waiting.'
const LIST = 'gate.list.'

export interface Settings {
  eventId: string | null
  gate: string
  isMuted: boolean
}

function read<Value>(name: string, otherwise: Value): Value {
  try {
    return (JSON.parse(localStorage.getItem(name) ?? 'null') as Value | null) ?? otherwise
  } catch {
    return otherwise
  }
}

function write(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

export const readSettings = () =>
  read<Settings>(SETTINGS, { eventId: null, gate: '', isMuted: false })
export const keepSettings = (settings: Settings) => write(SETTINGS, settings)

export const readConflicts = () => read<Conflict[]>(CONFLICTS, [])
export const keepConflicts = (conflicts: Conflict[]) => write(CONFLICTS, conflicts)

export const keepScan = (waiting: WaitingScan) => write(WAITING + waiting.scan.id, waiting)
export const forgetScan = (id: string) => localStorage.removeItem(WAITING + id)

/** Releases up to 0.2.0 stored the refusal under another name; the phone's own verdict still says it. */
const withRefusal = ({ scan, verdict, ...one }: WaitingScan): WaitingScan => ({
  ...one,
  scan: { ...scan, refusedOffline: scan.refusedOffline ?? refusalOf(verdict) },
  verdict,
})

/** Why the phone refused the guest by itself; null when it did not. */
export const refusalOf = ({ verdict }: PhoneVerdict): Scan['refusedOffline'] =>
  verdict === 'admitted' || verdict === 'NEEDS_NETWORK' ? null : verdict

/** In the order of the scans; other stored values are skipped. */
function readScans(): WaitingScan[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(WAITING))
  return names
    .map((name) => read<WaitingScan | null>(name, null))
    .filter((one): one is WaitingScan => Boolean(one?.scan?.offlineAt && one.verdict))
    .map(withRefusal)
    .toSorted((a, b) => (a.scan.offlineAt! < b.scan.offlineAt! ? -1 : 1))
}

/** What is still to be reported. */
export const readWaiting = () => readScans().filter(({ failure }) => !failure)
/** What was set aside because the server did not take it. */
export const readFailed = () => readScans().filter(({ failure }) => failure)

export const readKept = (eventId: string) => read<Kept | null>(LIST + eventId, null)

/** Lists of other events make room for this one. */
export function keepList(kept: Kept) {
  for (const name of Object.keys(localStorage))
    if (name.startsWith(LIST) && name !== LIST + kept.event.id) localStorage.removeItem(name)
  return write(LIST + kept.event.id, kept)
}

/** What was known, merged with the server's newer changes. */
export function merge(kept: Kept | null, { event, keys, list }: GateAnswer): Kept {
  const used = { ...kept?.used }
  for (const [number, at, gate] of list.used)
    used[number] = { at: new Date(at * 1000).toISOString(), gate: list.gates[gate] }
  const voided = { ...kept?.void, ...Object.fromEntries(list.void) }
  const { cursor, now: freshAt, inside, sold } = list
  return { event, keys, used, void: voided, cursor, freshAt, inside, sold }
}
