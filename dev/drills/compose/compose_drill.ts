import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { log } from '../../output.ts'
import { poll } from '../../poll.ts'
import { freePort } from '../../ports.ts'
import { claimDirectory } from '../../process_records.ts'
import { StartUpError } from '../../start_up_error.ts'
import { Supervisor } from '../../supervisor.ts'
import type { Drill, DrillContext } from '../drill.ts'
import { type DrillReport, seen } from '../drill_report.ts'
import { baseImages, provideImage } from './base_images.ts'
import { Deployment } from './deployment.ts'
import { Docker, installDocker, rememberPacketFilter, unmountBelow } from './docker.ts'
import { DEVELOPMENT_PACKAGES } from '../../software_bill.ts'

/** Images and layers stay here, so that the next run is quick; it may be deleted. */
const CACHE = process.env.DRILL_CACHE ?? join(tmpdir(), 'ticket-partners-drill')
const APPLICATION = ['web', 'worker', 'runs']
const SERVICES = ['postgres', 'redis', ...APPLICATION]
const HEALTHY_WITHIN_MS = 120_000
const BACK_WITHIN_MS = 60_000
/** `stop_grace_period` of web, worker and runs. */
const GRACE_MS = 30_000
const IMAGE = 'ticket-partners'
const DEPENDENCIES_AT_MOST_MB = 200
const SOLD = 'paid with 2 tickets'

/** Builds the image, brings compose.yaml up, sells, kills, stops and starts it, and removes everything but the images. */
export const composeDrill: Drill = { run, keptDirectory: CACHE }

async function run({ report, cleanup }: DrillContext) {
  log(`Images are kept in ${CACHE}`)
  await claimDirectory(CACHE)
  const supervisor = new Supervisor(CACHE)
  let restoreFilter = () => {}
  cleanup.defer(async () => {
    await supervisor.stop()
    unmountBelow(CACHE)
    restoreFilter()
  })

  await report.require('Docker and debootstrap come from Debian', async () =>
    seen(await installDocker(supervisor))
  )
  restoreFilter = rememberPacketFilter()
  const docker = await Docker.start(supervisor, CACHE)
  const deployment = Deployment.prepare(docker, join(CACHE, 'clone'), await freePort())
  cleanup.defer(async () => {
    if (!supervisor.isStopping) await deployment.remove()
  })
  cleanup.defer(() => docker.abort())

  for (const name of baseImages()) {
    await report.require(`${name}: pulled, or a stand-in under its name`, async () =>
      seen(await provideImage(docker, name))
    )
  }
  await buildImage(report, docker, deployment)
  await bringUp(report, deployment)
  await checkRights(report, deployment)

  const orders: string[] = []
  const sell = async () => void orders.push(await deployment.sell())
  await report.require('the published example sells two tickets', async () => {
    await deployment.seed()
    await sell()
    const order = await deployment.readOrder(orders[0])
    return seen(order, order === SOLD)
  })
  for (const service of SERVICES) await killService(report, deployment, service, sell)
  await checkOrders(report, deployment, orders, 'what was sold before and after the kills is there')

  await stopAll(report, deployment)
  await report.require('down and up: web and worker are healthy again', async () => {
    await deployment.compose('down')
    await deployment.up()
    await deployment.untilHealthy(SERVICES, HEALTHY_WITHIN_MS)
    return seen('healthy')
  })
  await checkOrders(report, deployment, orders, 'down and up keep what was sold')
  await report.check('after down and up it sells again', async () => {
    await sell()
    const order = await deployment.readOrder(orders.at(-1)!)
    return seen(order, order === SOLD)
  })
  await report.check('nothing is left in Docker but the images', async () => {
    await deployment.remove()
    const left = await deployment.leftObjects()
    const none = 'no container, volume or network'
    return seen(left.length === 0 ? none : left.join('; '), left.length === 0)
  })
}

async function buildImage(report: DrillReport, docker: Docker, deployment: Deployment) {
  const sizeOf = async (name: string) =>
    Math.round(Number(await docker.docker('image', 'inspect', '--format={{.Size}}', name)) / 1e6)
  await report.require('the Dockerfile builds the image', async () => {
    await deployment.build()
    const [base] = baseImages()
    return seen(`${await sizeOf(IMAGE)} MB; the base ${base} alone ${await sizeOf(base)} MB`)
  })
  const limit = `at most ${DEPENDENCIES_AT_MOST_MB} MB, without ${DEVELOPMENT_PACKAGES.join(', ')}`
  await report.check(`production dependencies are ${limit}`, async () => {
    const script = `du -sm node_modules | cut -f1; for each in ${DEVELOPMENT_PACKAGES.join(' ')}; do [ ! -e node_modules/$each ] || echo $each; done`
    const listed = await docker.docker('run', '--rm', '--network=none', IMAGE, 'sh', '-c', script)
    const [megabytes, ...found] = listed.split('\n')
    const text = [`${megabytes} MB`, ...found].join(', ')
    return seen(text, Number(megabytes) <= DEPENDENCIES_AT_MOST_MB && found.length === 0)
  })
}

async function bringUp(report: DrillReport, deployment: Deployment) {
  await report.require(
    `up: migrations end with 0, ${SERVICES.join(', ')} are healthy`,
    async () => {
      await deployment.remove()
      await deployment.up()
      await deployment.untilHealthy(SERVICES, HEALTHY_WITHIN_MS)
      const { status, exitCode } = await deployment.container('migrate')
      return seen(`healthy; migrate ${status} with ${exitCode}`, exitCode === 0)
    }
  )
}

async function checkRights(report: DrillReport, deployment: Deployment) {
  const script = `id -u; grep CapEff /proc/self/status | cut -f2; touch /app/probe 2>/dev/null && echo writable || echo read-only`
  await report.check('no root, no capabilities, a read-only file system', async () => {
    const answers = await Promise.all(
      APPLICATION.map((service) => deployment.exec(service, 'sh', '-c', script))
    )
    const texts = answers.map((answer) => answer.split('\n').join(', '))
    const isBound = texts.every((text) => /^[1-9]\d*, 0+, read-only$/.test(text))
    return seen(`user, capabilities, /app: ${[...new Set(texts)].join('; ')}`, isBound)
  })
}

async function killService(
  report: DrillReport,
  deployment: Deployment,
  service: string,
  sell: () => Promise<void>
) {
  await report.check(`kill -9 of ${service}: it is back by itself, the product sells`, async () => {
    const before = await deployment.container(service)
    const began = performance.now()
    const seconds = () => ((performance.now() - began) / 1_000).toFixed(1)
    process.kill(mainProcess(before.pid), 'SIGKILL')
    const isBack = async () => {
      const { status, restarts } = await deployment.container(service)
      return status === 'running' && restarts > before.restarts
    }
    if (!(await poll(isBack, { withinMs: BACK_WITHIN_MS }))) {
      throw new StartUpError(`${service} did not come back in a minute`)
    }
    const backAfter = seconds()
    await sellWithin(BACK_WITHIN_MS, sell)
    const soldAfter = seconds()
    await deployment.untilHealthy(SERVICES, HEALTHY_WITHIN_MS)
    return seen(
      `started again after ${backAfter} s, sold after ${soldAfter} s, healthy after ${seconds()} s`
    )
  })
}

/** With `init: true` a small init is the container's first process, and its only child is ours. */
function mainProcess(pid: number) {
  const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  if (name !== 'docker-init') return pid
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
}

/** The example gives up after some seconds; a partner's program would try on. */
async function sellWithin(withinMs: number, sell: () => Promise<void>) {
  let reason = ''
  const isSold = () =>
    sell().then(
      () => true,
      (error: Error) => {
        reason = error.message
        return false
      }
    )
  if (!(await poll(isSold, { withinMs }))) throw new StartUpError(reason)
}

async function checkOrders(
  report: DrillReport,
  deployment: Deployment,
  orders: string[],
  mustHold: string
) {
  await report.check(mustHold, async () => {
    const states = new Map<string, number>()
    for (const order of orders) {
      const state = await deployment.readOrder(order)
      states.set(state, (states.get(state) ?? 0) + 1)
    }
    const text = [...states].map(([state, count]) => `${count} orders ${state}`).join(', ')
    return seen(text, states.get(SOLD) === orders.length)
  })
}

async function stopAll(report: DrillReport, deployment: Deployment) {
  await report.check('stop: each ends with 0, within its grace', async () => {
    const began = Date.now()
    await deployment.compose('stop')
    const containers = await deployment.containers()
    const stopped = containers.filter(({ service }) => SERVICES.includes(service))
    const texts = stopped.map(({ service, exitCode, finishedAt }) => {
      const seconds = (Date.parse(finishedAt) - began) / 1_000
      return `${service} ${exitCode} after ${seconds.toFixed(1)} s`
    })
    const isClean = stopped.every(
      ({ exitCode, finishedAt }) => exitCode === 0 && Date.parse(finishedAt) - began < GRACE_MS
    )
    return seen(texts.join(', '), isClean && stopped.length === SERVICES.length)
  })
}
