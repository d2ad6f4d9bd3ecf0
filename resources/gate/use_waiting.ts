import { shallowRef } from 'vue'
import { urlFor } from '~/routes'
import { ask, NoAnswer, Refused } from './ask.js'
import * as keep from './keep.js'
import type { Conflict, Failure, Verdict, WaitingScan } from './types.js'

const MOST_AT_ONCE = 50
export const SCANS_PATH = urlFor('back_office.gate.scans')

const report = async (some: WaitingScan[]) => {
  const scans = some.map(({ scan }) => scan)
  const { verdicts } = await ask<{ verdicts: Verdict[] }>(SCANS_PATH, { scans })
  if (verdicts?.length !== scans.length) throw new NoAnswer('Not an answer of ours')
  return verdicts
}

/** Reports the scans that this phone judged by itself, and sets aside those that the server cannot process. */
export function useWaiting(noteLine: (error?: unknown) => void) {
  const waiting = shallowRef(keep.readWaiting())
  const failed = shallowRef(keep.readFailed())
  const conflicts = shallowRef(keep.readConflicts())

  function readKept() {
    waiting.value = keep.readWaiting()
    failed.value = keep.readFailed()
  }

  let isSending = false
  async function send() {
    if (isSending) return
    isSending = true
    try {
      readKept()
      while (waiting.value.length > 0) {
        await sendSome(waiting.value.slice(0, MOST_AT_ONCE))
        noteLine()
        readKept()
      }
    } catch (error) {
      noteLine(error)
    } finally {
      isSending = false
      readKept()
    }
  }

  /** Sends a batch, or one by one when the server refuses the batch, so that one scan cannot block the others. */
  async function sendSome(some: WaitingScan[]) {
    try {
      settle(some, await report(some))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // When the server refuses an empty report too, the scans are not the cause, and all of them stay.
      await report([])
      for (const one of some) await sendAlone(one)
    }
  }

  async function sendAlone(one: WaitingScan) {
    try {
      settle([one], await report([one]))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { status, requestId } = error
      setAside(one, { cause: 'REFUSED', status, requestId })
    }
  }

  /** A guest admitted by the phone but refused by the server becomes a conflict. Reported scans are removed from the phone. */
  function settle(some: WaitingScan[], verdicts: Verdict[]) {
    const answered = some.map((one, index) => ({ one, there: verdicts[index] }))
    const isFailed = ({ there }: { there: Verdict }) => there.verdict === 'FAILED'
    for (const { one, there } of answered.filter((each) => !isFailed(each))) {
      const { scan, verdict: here } = one
      keep.forgetScan(scan.id)
      if (here.verdict === 'admitted' && there.verdict !== 'admitted') {
        const verdict = { ...there, number: there.number ?? here.number }
        setConflicts([{ at: scan.offlineAt!, verdict }, ...conflicts.value])
      }
    }
    for (const { one, there } of answered.filter(isFailed)) {
      const { cause, requestId } = there
      setAside(one, { cause: cause ?? 'INTERNAL_ERROR', status: null, requestId })
    }
  }

  function setAside({ scan, verdict }: WaitingScan, failure: Failure) {
    if (!keep.keepScan({ scan, verdict, failure })) throw new NoAnswer('No room on this phone')
  }

  /** False when the phone has no room for it. */
  function add(one: WaitingScan): boolean {
    const isKept = keep.keepScan(one)
    if (isKept) readKept()
    return isKept
  }

  function sendAgain() {
    for (const { scan, verdict } of failed.value) keep.keepScan({ scan, verdict })
    return send()
  }

  function discard(id: string) {
    keep.forgetScan(id)
    readKept()
  }

  function setConflicts(all: Conflict[]) {
    conflicts.value = all
    keep.keepConflicts(all)
  }

  const clearConflicts = () => setConflicts([])
  return { waiting, failed, conflicts, add, send, sendAgain, discard, clearConflicts }
}
