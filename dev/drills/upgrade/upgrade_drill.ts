import { LAST_RELEASE, RUN_SOURCES, unpackLastRelease } from '../../last_release.ts'
import { untilReadyAt } from '../../readiness.ts'
import { type Services, startServices } from '../../start_services.ts'
import type { Supervisor } from '../../supervisor.ts'
import type { Drill, DrillContext } from '../drill.ts'
import { type DrillReport, seen } from '../drill_report.ts'
import type { Buyers, Exchange } from '../load/buyers.ts'
import { layGround, startLoad } from '../load/ground.ts'
import { reportVerdict, reportWebhooks } from '../load/report_verdict.ts'
import { buildIfStale } from '../production_build.ts'
import {
  addressesOf,
  BUILT,
  programsOf,
  runCommand,
  type Site,
  startSite,
  WEBS,
  WORK,
  WORKER,
} from '../site.ts'

/** After each step, by what runs then. */
const SALES = 20

/** Replaces the last release by the production build while it sells: migrations first, then one process after the other. */
export const upgradeDrill: Drill = { run }

async function run({ report, cleanup, directory }: DrillContext) {
  const { supervisor, receiver } = await layGround(directory, cleanup)

  let services!: Services
  let site!: Site
  await report.require(
    `two web processes and a worker of ${LAST_RELEASE.version} are ready`,
    async () => {
      await buildIfStale(supervisor)
      services = await startServices({ directory, ephemeral: false, supervisor })
      site = await startSite({
        supervisor,
        directory,
        services,
        webhooks: receiver.url,
        installation: { cwd: unpackLastRelease(directory), server: RUN_SOURCES },
        // It has one role, which owns the tables.
        settings: { DATABASE_URL: services.databaseUrls.owner },
      })
      return seen('ready')
    }
  )
  const buyers = startLoad(site, cleanup, { servers: addressesOf(site) })
  await upgrade({ report, supervisor, site, buyers, directory, services })
  await reportVerdict(report, buyers, site)
  await reportWebhooks(report, buyers, receiver.received)
}

interface Upgrade {
  report: DrillReport
  supervisor: Supervisor
  site: Site
  buyers: Buyers
  directory: string
  services: Services
}

async function upgrade({ report, supervisor, site, buyers, directory, services }: Upgrade) {
  const { application } = services.databaseUrls
  const program = programsOf(BUILT, directory, { ...site.env, DATABASE_URL: application })
  const began = new Date()
  await buyers.untilSold(SALES)
  await report.check(
    `${LAST_RELEASE.version} sells while and after all migrations run`,
    async () => {
      const before = buyers.sales
      await runCommand(supervisor, directory, program, ['migration:run', '--force'])
      const during = buyers.sales - before
      await buyers.untilSold(SALES)
      return seen(`${during} sales meanwhile, then ${SALES} more`, during > 0)
    }
  )
  await report.check('web and worker are replaced in turn, and sell side by side', async () => {
    const addresses = addressesOf(site)
    for (const [index, name] of WEBS.entries()) {
      buyers.leave(addresses[index])
      await supervisor.find(name)!.stop()
      await supervisor.start(program(name, { PORT: String(site.ports[index]) }))
      await Promise.race([untilReadyAt(addresses[index]), supervisor.failWhenOneEnds()])
      buyers.comeBack(addresses[index])
      await buyers.untilSold(SALES)
    }
    await supervisor.find(WORKER)!.stop()
    await supervisor.start(program(WORKER, { WORKER_PORT: String(site.workerPort) }, WORK))
    const worker = `http://127.0.0.1:${site.workerPort}`
    await Promise.race([untilReadyAt(worker), supervisor.failWhenOneEnds()])
    await buyers.untilSold(SALES)
    return seen(`${SALES} sales after each`)
  })
  await report.check(
    'no request is refused but those that are answered when repeated once',
    async () => {
      const { once, more } = repeated(buyers, began)
      return seen(`${once} repeated once, ${more} more often`, more === 0)
    }
  )
}

/** How many requests were not answered, or 503, the first time, and how many again when they were repeated. */
function repeated(buyers: Buyers, since: Date) {
  const isRefused = ({ status }: Exchange) => status === undefined || status === 503
  // A confirm is sent once more after its answer: that counts for itself.
  const refusalsInARow = new Map<string, number>()
  const counts = buyers.since(since).map((exchange) => {
    const request = `${exchange.step} ${exchange.key}`
    const count = isRefused(exchange) ? (refusalsInARow.get(request) ?? 0) + 1 : 0
    refusalsInARow.set(request, count)
    return count
  })
  const more = counts.filter((count) => count === 2).length
  return { once: counts.filter((count) => count === 1).length - more, more }
}
