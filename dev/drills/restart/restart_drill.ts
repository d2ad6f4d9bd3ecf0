import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../ports.ts'
import { untilReadyAt } from '../../readiness.ts'
import { startServices } from '../../start_services.ts'
import type { Supervisor } from '../../supervisor.ts'
import { ensurePackages } from '../debian_packages.ts'
import type { Drill, DrillContext } from '../drill.ts'
import { type DrillReport, type Observation, seen } from '../drill_report.ts'
import type { Buyers, Exchange } from '../load/buyers.ts'
import { layGround, startLoad } from '../load/ground.ts'
import { reportVerdict, reportWebhooks } from '../load/report_verdict.ts'
import { buildIfStale } from '../production_build.ts'
import { runCommand, type Site, startSite, WEBS, WORK, WORKER } from '../site.ts'
import { NGINX, startNginx } from './nginx.ts'

const REQUESTS = 10_000
const LEAST_RESTARTS = 4
const WRONG_ENDS_WITHIN_MS = 30_000
const SALES = 20

interface Running {
  report: DrillReport
  supervisor: Supervisor
  directory: string
  site: Site
  buyers: Buyers
}

/** Restarts processes in turn behind nginx, as an operator does for an upgrade or another key: no request may fail. */
export const restartDrill: Drill = { run }

async function run({ report, cleanup, directory }: DrillContext) {
  const { supervisor, receiver } = await layGround(directory, cleanup)
  await report.require('nginx comes from Debian', () => ensurePackages(supervisor, [NGINX]))
  let site!: Site
  let proxy!: { url: string; ca: string }
  await report.require(
    'two web processes behind nginx with the published block, and a worker, are ready',
    async () => {
      await buildIfStale(supervisor)
      const services = await startServices({ directory, ephemeral: false, supervisor })
      const settings = { TRUSTED_PROXIES: '127.0.0.1' }
      site = await startSite({ supervisor, directory, services, webhooks: receiver.url, settings })
      proxy = await startNginx(supervisor, directory, site.ports)
      return seen('ready')
    }
  )
  const { url, ca } = proxy
  const buyers = startLoad(site, cleanup, { givesBack: true, servers: [url], ca })
  await buyers.untilSold(SALES)
  const running: Running = { report, supervisor, directory, site, buyers }
  await restartWebs(running)
  await rotateKey(running)
  await reportVerdict(report, buyers, site)
  await reportWebhooks(report, buyers, receiver.received)
}

async function restartWebs(running: Running) {
  const { report, buyers } = running
  await report.check(
    `both web processes restarted in turn, ${LEAST_RESTARTS} times at least and during ${REQUESTS} requests: none is answered 5xx or not at all`,
    async () => {
      const before = buyers.exchanges.length
      const stopMs: number[] = []
      while (stopMs.length < LEAST_RESTARTS || buyers.exchanges.length - before < REQUESTS)
        stopMs.push(await restart(running, WEBS[stopMs.length % WEBS.length]))
      const slowest = (Math.max(...stopMs) / 1_000).toFixed(1)
      const words = `${stopMs.length} restarts, the slowest stop took ${slowest} s`
      return judgeAnswers(buyers.exchanges.slice(before), words)
    }
  )
}

/** The steps of docs/production.md, under load. */
async function rotateKey(running: Running) {
  const { report, supervisor, directory, site, buyers } = running
  const former = site.env.APP_KEY!
  const next = randomBytes(32).toString('base64')
  await report.check(
    'another APP_KEY, in the steps of docs/production.md: no request is answered 5xx or not at all',
    async () => {
      const before = buyers.exchanges.length
      await restartAll(running, { APP_PREVIOUS_KEYS: next })
      const both = { APP_KEY: next, APP_PREVIOUS_KEYS: former }
      await restartAll(running, both)
      const program: Site['program'] = (name, env, args) =>
        site.program(name, { ...both, ...env }, args)
      await runCommand(supervisor, directory, program, ['secrets:reencrypt'])
      await restartAll(running, { APP_KEY: next })
      return judgeAnswers(buyers.exchanges.slice(before), 'all restarted 3 times')
    }
  )
  await report.check(
    'then a web process with the former key alone ends at the start, and names APP_KEY',
    async () => {
      const name = 'web with the former key'
      const web = await supervisor.start(site.program(name, { PORT: String(await freePort()) }))
      const ending = await Promise.race([web.ended, delay(WRONG_ENDS_WITHIN_MS, undefined)])
      await web.stop()
      const lines = readFileSync(join(directory, `${name}.log`), 'utf8').split('\n')
      const fatal = lines.find((line) => line.includes('"level":"fatal"')) ?? '{}'
      const { setting, msg } = JSON.parse(fatal) as { setting?: string; msg?: string }
      return seen(`code ${ending?.code}: ${msg}`, ending?.code === 1 && setting === 'APP_KEY')
    }
  )
}

async function restartAll(running: Running, keys: NodeJS.ProcessEnv) {
  for (const name of [...WEBS, WORKER]) await restart(running, name, keys)
  await running.buyers.untilSold(SALES)
}

/** Stops a process, and starts it with other settings; how long the stop took. */
async function restart({ supervisor, site }: Running, name: string, settings = {}) {
  const isWorker = name === WORKER
  const port = isWorker ? site.workerPort : site.ports[WEBS.indexOf(name)]
  const began = performance.now()
  await supervisor.find(name)!.stop()
  const stopMs = performance.now() - began
  const env = { ...settings, [isWorker ? 'WORKER_PORT' : 'PORT']: String(port) }
  await supervisor.start(site.program(name, env, isWorker ? WORK : undefined))
  await Promise.race([untilReadyAt(`http://127.0.0.1:${port}`), supervisor.failWhenOneEnds()])
  return stopMs
}

/** A partner's program must not see that something was restarted: it need not even repeat. */
export function judgeAnswers(exchanges: Exchange[], words: string): Observation {
  const failed = exchanges.filter(({ status }) => status === undefined || status >= 500)
  const kinds = Map.groupBy(failed, ({ status, failure }) => String(status ?? failure))
  const texts = [...kinds].map(([kind, each]) => `, ${each.length} × ${kind}`)
  const slowest = Math.max(0, ...exchanges.map(({ ms }) => ms))
  const text = `${failed.length} of ${exchanges.length} failed${texts.join('')}; ${words}; the slowest answer took ${slowest} ms`
  return seen(text, exchanges.length > 0 && failed.length === 0)
}
