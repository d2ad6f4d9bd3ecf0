import { computed, onMounted, onUnmounted, reactive, ref, shallowRef } from 'vue'
import { ask, NoAnswer, SCAN_PATIENCE_MS, SignedOut } from './ask.js'
import { digitsOf, judgeAlone } from './judge.js'
import * as keep from './keep.js'
import { signal } from './signal.js'
import type { Conflict, GateAnswer, Kept, Scan, Verdict } from './types.js'

const REFRESH_MS = 10_000
const MOST_AT_ONCE = 50
const LONGEST_CODE = 3_000
const PATH = '/back-office/gate'

/** The gate of one phone: what it keeps, how it judges with and without network, and what it has still to tell. */
export function useGate() {
  const settings = reactive(keep.readSettings())
  const kept = shallowRef<Kept | null>(settings.eventId ? keep.readKept(settings.eventId) : null)
  const waiting = shallowRef(keep.readWaiting())
  const conflicts = shallowRef(keep.readConflicts())
  const verdict = shallowRef<Verdict | null>(null)
  const isJudging = ref(false)
  const isOnline = ref(navigator.onLine)
  const isSignedOut = ref(false)
  let clockAhead = 0

  const keepSettings = () => keep.keepSettings({ ...settings })
  const now = () => new Date(Date.now() + clockAhead)

  function choose(eventId: string | null) {
    settings.eventId = eventId
    keepSettings()
    verdict.value = null
    kept.value = eventId ? keep.readKept(eventId) : null
    if (eventId) void refresh()
  }

  /** The answer, or null; either way it tells how the line is. */
  async function reach<Answer>(path: string, body?: object, patienceMs?: number) {
    try {
      const answer = await ask<Answer>(path, body, patienceMs)
      isOnline.value = true
      isSignedOut.value = false
      return answer
    } catch (error) {
      if (error instanceof SignedOut) isSignedOut.value = true
      else if (error instanceof NoAnswer) isOnline.value = false
      else throw error
      return null
    }
  }

  async function refresh() {
    const { eventId } = settings
    if (!eventId) return
    const since = kept.value?.cursor
    const query = since ? `?since=${encodeURIComponent(since)}` : ''
    const answer = await reach<GateAnswer>(`${PATH}/lists/${eventId}${query}`)
    if (!answer || settings.eventId !== eventId) return
    clockAhead = Date.parse(answer.list.now) - Date.now()
    kept.value = keep.merge(kept.value, answer)
    keep.keepList(kept.value)
  }

  /** A QR code, or a number that somebody typed. */
  async function scan(shown: { token: string } | { number: string }) {
    const { eventId } = settings
    if (!eventId || isJudging.value) return
    isJudging.value = true
    try {
      const asked: Scan = {
        ...{ id: crypto.randomUUID(), eventId, gate: settings.gate.trim() || null },
        ...('token' in shown ? { token: shown.token.slice(0, LONGEST_CODE) } : shown),
        ...{ offlineAt: null, told: null },
      }
      const told = (await judgeThere(asked)) ?? (await judgeHere(asked))
      verdict.value = told
      signal(told.verdict, settings.isMuted)
      if (told.verdict === 'admitted') noteInside(told)
    } finally {
      isJudging.value = false
    }
  }

  async function judgeThere(asked: Scan) {
    if (!navigator.onLine) isOnline.value = false
    if (!isOnline.value) return null
    const body = { scans: [asked] }
    const answer = await reach<{ verdicts: Verdict[] }>(`${PATH}/scans`, body, SCAN_PATIENCE_MS)
    return answer?.verdicts[0] ?? null
  }

  async function judgeHere(asked: Scan): Promise<Verdict> {
    const told: Verdict = kept.value
      ? await judgeAlone(asked, kept.value, now())
      : { ...needsNetwork, id: asked.id }
    if (told.verdict === 'NEEDS_NETWORK') return told
    const reason = told.verdict === 'admitted' ? null : told.verdict
    const scanned = { ...asked, offlineAt: now().toISOString(), told: reason }
    const isKept = keep.keepWaiting({ scan: scanned, verdict: told })
    if (!isKept) return { ...needsNetwork, id: asked.id }
    waiting.value = keep.readWaiting()
    return told
  }

  function noteInside({ number, usedAt }: Verdict) {
    if (!kept.value || !number) return
    const digits = digitsOf(number)
    const isNew = !(digits in kept.value.used)
    const at = usedAt ?? now().toISOString()
    const used = { ...kept.value.used, [digits]: { at, gate: settings.gate } }
    kept.value = { ...kept.value, used, inside: kept.value.inside + (isNew ? 1 : 0) }
    keep.keepList(kept.value)
  }

  let isTelling = false
  /** Tells of the scans that were judged here; what the server would not have let in becomes a conflict. */
  async function tell() {
    if (isTelling) return
    isTelling = true
    try {
      waiting.value = keep.readWaiting()
      while (waiting.value.length > 0) {
        const some = waiting.value.slice(0, MOST_AT_ONCE)
        const scans = some.map(({ scan: one }) => one)
        const answer = await reach<{ verdicts: Verdict[] }>(`${PATH}/scans`, { scans })
        if (!answer) return
        const found = some.flatMap(({ scan: one, verdict: here }): Conflict[] => {
          const there = answer.verdicts.find(({ id }) => id === one.id)
          const isConflict = there && here.verdict === 'admitted' && there.verdict !== 'admitted'
          return isConflict
            ? [{ at: one.offlineAt!, verdict: { ...there, number: there.number ?? here.number } }]
            : []
        })
        if (found.length > 0) setConflicts([...found, ...conflicts.value])
        for (const { scan: one } of some) keep.forgetWaiting(one.id)
        waiting.value = keep.readWaiting()
      }
    } finally {
      isTelling = false
    }
  }

  function setConflicts(all: Conflict[]) {
    conflicts.value = all
    keep.keepConflicts(all)
  }

  async function turn() {
    await tell()
    await refresh()
  }
  const goOffline = () => (isOnline.value = false)
  let timer: ReturnType<typeof setInterval>
  onMounted(() => {
    void turn()
    timer = setInterval(turn, REFRESH_MS)
    addEventListener('online', turn)
    addEventListener('offline', goOffline)
  })
  onUnmounted(() => {
    clearInterval(timer)
    removeEventListener('online', turn)
    removeEventListener('offline', goOffline)
  })

  return {
    ...{ settings, kept, waiting, conflicts, verdict, isJudging, isOnline, isSignedOut },
    ...{ choose, scan, keepSettings },
    dismiss: () => (verdict.value = null),
    clearConflicts: () => setConflicts([]),
    isReady: computed(() => kept.value !== null),
  }
}

const needsNetwork = {
  ...{ verdict: 'NEEDS_NETWORK' as const, number: null, seat: null, usedAt: null, gate: null },
  ...{ cause: null, endedAt: null, event: null, isOffline: true },
}
