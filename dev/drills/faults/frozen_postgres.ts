import { setTimeout as delay } from 'node:timers/promises'
import { freeze, thaw } from '../debian_postgres.ts'
import { seen } from '../drill_report.ts'
import type { Exchange } from '../load/buyers.ts'
import { WEBS, WORKER } from '../site.ts'
import type { Faulty } from './faults_drill.ts'

const FROZEN_MS = 60_000
const ANSWERED_WITHIN_MS = 10_000
const SELLS_WITHIN_MS = 20_000

const slowestOf = (exchanges: Exchange[]) => Math.max(0, ...exchanges.map(({ ms }) => ms))
const secondsOf = (ms: number) => (ms / 1_000).toFixed(1)

/** Every process of PostgreSQL is stopped in the middle of what it does. */
export async function frozenPostgres({ report, supervisor, buyers, cleanup }: Faulty) {
  const { pid } = supervisor.find('PostgreSQL')!
  const processes = [...WEBS, WORKER]
  const pids = () => processes.map((name) => supervisor.find(name)?.pid)
  const before = pids()
  const mustHold = `PostgreSQL frozen for ${FROZEN_MS / 1_000} s: each request is answered 503 within ${ANSWERED_WITHIN_MS / 1_000} s`
  await report.check(mustHold, async () => {
    // However the drill ends: a frozen process can't be stopped.
    cleanup.defer(() => {
      if (supervisor.find('PostgreSQL')?.pid === pid) thaw(pid)
    })
    freeze(pid)
    const frozenAt = new Date()
    await delay(FROZEN_MS)
    thaw(pid)
    const thawedAt = Date.now()
    // Those that were sent last are still waiting.
    await delay(ANSWERED_WITHIN_MS)
    const sent = buyers
      .since(frozenAt)
      .filter(({ at }) => at.getTime() < thawedAt - ANSWERED_WITHIN_MS)
    const refused = sent.filter(({ status }) => status === 503)
    const text = `${refused.length} of ${sent.length} answered 503, the slowest after ${secondsOf(slowestOf(sent))} s`
    const isInTime = slowestOf(sent) < ANSWERED_WITHIN_MS
    return seen(text, sent.length > 0 && refused.length === sent.length && isInTime)
  })
  await report.check('then sales go on without a restart', async () => {
    await buyers.untilSold(5, SELLS_WITHIN_MS)
    const now = pids()
    const restarted = processes.filter((_, index) => now[index] !== before[index])
    const text = `five more sales, ${restarted.length === 0 ? 'no process was' : restarted.join(', ')} started again`
    return seen(text, restarted.length === 0)
  })
}
