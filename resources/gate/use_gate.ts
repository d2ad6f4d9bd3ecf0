import { computed, onMounted, onUnmounted, reactive, ref, shallowRef } from 'vue'
import { urlFor } from '~/routes'
import { ask, NoAnswer, SCAN_PATIENCE_MS, SignedOut } from './ask.js'
import { digitsOf, judgeAlone } from './judge.js'
import * as keep from './keep.js'
import { signal } from './signal.js'
import type { GateAnswer, Kept, PhoneVerdict, Scan, Verdict } from './types.js'
import { SCANS_PATH, useWaiting } from './use_waiting.js'

const REFRESH_MS = 10_000
const LONGEST_CODE = 3_000

/** The state of one phone at a gate: stored list, judgement with and without network, and reports to send. */
export function useGate() {
  const settings = reactive(keep.readSettings())
  const kept = shallowRef<Kept | null>(settings.eventId ? keep.readKept(settings.eventId) : null)
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

  /** Updates the connection state after an answer or an error. */
  function noteLine(error?: unknown) {
    if (error instanceof SignedOut) isSignedOut.value = true
    else if (error instanceof NoAnswer) isOnline.value = false
    else if (error) throw error
    else {
      isOnline.value = true
      isSignedOut.value = false
    }
  }
  const reports = useWaiting(noteLine)

  /** Returns the answer or null, and updates the connection state. */
  async function reach<Answer>(path: string, body?: object, patienceMs?: number) {
    try {
      const answer = await ask<Answer>(path, body, patienceMs)
      noteLine()
      return answer
    } catch (error) {
      noteLine(error)
      return null
    }
  }

  async function refresh() {
    const { eventId } = settings
    if (!eventId) return
    const since = kept.value?.cursor
    const listUrl = urlFor('back_office.gate.list', { event: eventId }, { qs: { since } })
    const answer = await reach<GateAnswer>(listUrl)
    if (!answer || settings.eventId !== eventId) return
    clockAhead = Date.parse(answer.list.now) - Date.now()
    kept.value = keep.merge(kept.value, answer)
    keep.keepList(kept.value)
  }

  /** A QR code, or a number that somebody typed with its check code. */
  async function scan(shown: { token: string } | { number: string; code: string }) {
    const { eventId } = settings
    if (!eventId || isJudging.value) return
    isJudging.value = true
    try {
      const asked: Scan = {
        id: crypto.randomUUID(),
        eventId,
        gate: settings.gate.trim() || null,
        offlineAt: null,
        refusedOffline: null,
        ...('token' in shown ? { token: shown.token.slice(0, LONGEST_CODE) } : shown),
      }
      const judged = (await judgeThere(asked)) ?? (await judgeHere(asked))
      verdict.value = judged
      signal(judged.verdict, settings.isMuted)
      if (judged.verdict === 'admitted') noteInside(judged)
    } finally {
      isJudging.value = false
    }
  }

  async function judgeThere(asked: Scan) {
    if (!navigator.onLine) isOnline.value = false
    if (!isOnline.value) return null
    const body = { scans: [asked] }
    const answer = await reach<{ verdicts: Verdict[] }>(SCANS_PATH, body, SCAN_PATIENCE_MS)
    const there = answer?.verdicts[0]
    // A scan that the server could not judge is judged by the phone and reported later.
    return there && there.verdict !== 'FAILED' ? there : null
  }

  async function judgeHere(asked: Scan): Promise<Verdict> {
    const judged: PhoneVerdict = kept.value
      ? await judgeAlone(asked, kept.value, now())
      : { ...needsNetwork, id: asked.id }
    if (judged.verdict === 'NEEDS_NETWORK') return judged
    const refusedOffline = keep.refusalOf(judged)
    const scanned = { ...asked, offlineAt: now().toISOString(), refusedOffline }
    const isKept = reports.add({ scan: scanned, verdict: judged })
    return isKept ? judged : { ...needsNetwork, id: asked.id }
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

  async function turn() {
    await reports.send()
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
    settings,
    kept,
    reports,
    verdict,
    isJudging,
    isOnline,
    isSignedOut,
    choose,
    scan,
    keepSettings,
    dismiss: () => (verdict.value = null),
    isReady: computed(() => kept.value !== null),
  }
}

const needsNetwork = {
  verdict: 'NEEDS_NETWORK' as const,
  number: null,
  seat: null,
  usedAt: null,
  gate: null,
  cause: null,
  endedAt: null,
  event: null,
  requestId: null,
  isOffline: true,
}
