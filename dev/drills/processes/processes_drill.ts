import { poll } from '../../poll.ts'
import { startServices } from '../../start_services.ts'
import { StartUpError } from '../../start_up_error.ts'
import type { Supervisor } from '../../supervisor.ts'
import type { Drill, DrillContext } from '../drill.ts'
import { type DrillReport, seen } from '../drill_report.ts'
import type { Buyers } from '../load/buyers.ts'
import { layGround, startLoad } from '../load/ground.ts'
import { reportVerdict, reportWebhooks } from '../load/report_verdict.ts'
import { buildIfStale } from '../production_build.ts'
import { addressesOf, areReady, type Site, startSite, WEBS, WORKER } from '../site.ts'

const KILLED = [...WEBS, WORKER, 'Redis', 'PostgreSQL']
const KILLS = 20
const BACK_WITHIN_MS = 60_000

/** Kills each process of a production build under load, and judges afterwards what the buyers were answered. */
export const processesDrill: Drill = { run, options: ['short', 'kills', 'sales'] }

async function run({ report, cleanup, directory, options }: DrillContext) {
  const { supervisor, receiver } = await layGround(directory, cleanup)

  let site!: Site
  await report.require(
    'two web processes and a worker of the production build are ready',
    async () => {
      await buildIfStale(supervisor)
      // Not ephemeral: a killed PostgreSQL must find its commits on disk.
      const services = await startServices({ directory, ephemeral: false, supervisor })
      site = await startSite({ supervisor, directory, services, webhooks: receiver.url })
      return seen('ready')
    }
  )
  const { short: isShort, sales = 0 } = options
  const kills = options.kills ?? (isShort ? KILLED.length : KILLS)
  // A process that is killed often must still start again at once.
  const ending = supervisor.keepRunning({ most: kills, withinMs: 60_000 })
  ending.catch(() => {})

  const buyers = startLoad(site, cleanup, { givesBack: true, servers: addressesOf(site) })
  await killInTurn({ report, supervisor, site, buyers, kills, sales })
  await reportVerdict(report, buyers, site)
  await reportWebhooks(report, buyers, receiver.received)
  await report.check('web and worker stop with code 0', async () => {
    const programs = [...WEBS, WORKER].map((name) => supervisor.find(name)!)
    const stopping = supervisor.stop()
    const endings = await Promise.all(programs.map(({ ended }) => ended))
    await stopping
    const texts = endings.map(({ name, code, signal }) => `${name} ${signal ?? code}`)
    return seen(
      texts.join(', '),
      endings.every(({ code }) => code === 0)
    )
  })
}

interface Kills {
  report: DrillReport
  supervisor: Supervisor
  site: Site
  buyers: Buyers
  kills: number
  sales: number
}

async function killInTurn({ report, supervisor, site, buyers, kills, sales }: Kills) {
  // Each sale is confirmed twice.
  const pause = Math.max(5, Math.ceil((2 * sales) / kills))
  const slowest = new Map<string, number>()
  const mustHold = `${kills} kills (${KILLED.join(', ')} in turn): each is back within ${BACK_WITHIN_MS / 1_000} s, sales go on`
  await report.check(mustHold, async () => {
    for (let kill = 0; kill < kills; kill++) {
      const name = KILLED[kill % KILLED.length]
      await buyers.untilSold(pause, Math.max(60_000, pause * 100))
      const killed = supervisor.find(name)!
      const began = performance.now()
      killed.kill()
      await killed.ended
      const isBack = async () => supervisor.find(name) !== undefined && (await areReady(site))
      if (!(await poll(isBack, { withinMs: BACK_WITHIN_MS, everyMs: 100 }))) {
        throw new StartUpError(`${name} was not back in time after kill ${kill + 1}`)
      }
      const seconds = (performance.now() - began) / 1_000
      slowest.set(name, Math.max(seconds, slowest.get(name) ?? 0))
    }
    await buyers.untilSold(5)
    const texts = [...slowest].map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`)
    return seen(`slowest return: ${texts.join(', ')}`)
  })
}
