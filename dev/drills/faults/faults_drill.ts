import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { aReceiver } from '../../../tests/support/receiver.ts'
import { freePort } from '../../ports.ts'
import { startRedis } from '../../redis.ts'
import { Supervisor } from '../../supervisor.ts'
import { assertRoot, type DebianPackage, ensurePackages } from '../debian_packages.ts'
import { DebianPostgres, makeOwn, mountSmall, POSTGRES } from '../debian_postgres.ts'
import type { Drill, DrillContext } from '../drill.ts'
import { type DrillReport, seen } from '../drill_report.ts'
import { checkInvariants } from '../invariants.ts'
import { Buyers } from '../load/buyers.ts'
import { reportVerdict, reportWebhooks } from '../load/report_verdict.ts'
import { buildIfStale } from '../production_build.ts'
import { addressesOf, type Site, startSite } from '../site.ts'
import { clockAhead } from './clock_ahead.ts'
import { floods } from './floods.ts'
import { frozenPostgres } from './frozen_postgres.ts'
import { exportsDiskFull, postgresDiskFull } from './full_disks.ts'
import { BACKUP_SCRIPTS, backUp, restores } from './restores.ts'
import { slowReceivers } from './slow_receivers.ts'

const PACKAGES: DebianPackage[] = [POSTGRES, { name: 'faketime', program: '/usr/bin/faketime' }]
const POSTGRES_DISK_MB = 900
const EXPORTS_DISK_MB = 64
const BUYERS = 3
const HOLDERS = 1
const HOLDER_PAUSE_MS = 500
const INVARIANTS_WITHIN_MS = 90_000

/** The running deployment that the faults are made in. */
export interface Faulty {
  directory: string
  supervisor: Supervisor
  cleanup: AsyncDisposableStack
  report: DrillReport
  site: Site
  postgres: DebianPostgres
  buyers: Buyers
  /** What the partner that lets its holds expire was sent, each with its time. */
  arrivals: { at: Date; json: any }[]
  /** Small file systems of their own. */
  disks: { postgres: string; exports: string }
  /** Where PostgreSQL archives its WAL. */
  archive: string
}

/** Faults of one machine and of the world outside, under load, and a restore of what was sold meanwhile. */
export const faultsDrill: Drill = { run }

async function run({ report, cleanup, directory }: DrillContext) {
  assertRoot()
  const supervisor = new Supervisor(directory)
  const disks = { postgres: join(directory, 'disk'), exports: join(directory, 'storage') }
  const archive = join(directory, 'archive')
  const arrivals: Faulty['arrivals'] = []
  const receiver = await aReceiver((response, { json }) => {
    arrivals.push({ at: new Date(), json })
    response.end('ok')
  })
  cleanup.defer(() => receiver.close())

  let postgres!: DebianPostgres
  let site!: Site
  await report.require('PostgreSQL 15 and libfaketime come from Debian', () =>
    ensurePackages(supervisor, PACKAGES)
  )
  await report.require(
    'PostgreSQL 15, Redis, two web processes and a worker are ready',
    async () => {
      await buildIfStale(supervisor)
      mountSmall(disks.postgres, POSTGRES_DISK_MB, cleanup)
      mountSmall(disks.exports, EXPORTS_DISK_MB, cleanup)
      // After the mounts, so that it stops what uses them first.
      cleanup.defer(() => supervisor.stop())
      makeOwn(archive)
      // Where PostgreSQL's account may read it.
      const archiveWal = join(archive, 'archive-wal')
      copyFileSync(join(BACKUP_SCRIPTS, 'archive-wal'), archiveWal)
      postgres = new DebianPostgres({
        supervisor,
        directory,
        name: 'PostgreSQL',
        data: join(disks.postgres, 'data'),
        port: await freePort(),
        settings: {
          shared_buffers: '128MB',
          max_wal_size: '128MB',
          min_wal_size: '32MB',
          archive_mode: 'on',
          archive_command: `${archiveWal} ${archive} %p %f`,
          shared_preload_libraries: 'pg_stat_statements',
        },
      })
      await postgres.initialise()
      await postgres.start()
      await postgres.createRoles()
      await postgres.createDatabase()
      const redisUrl = await startRedis({
        supervisor,
        directory,
        port: await freePort(),
        ephemeral: false,
      })
      const services = { databaseUrls: postgres.urls, redisUrl }
      site = await startSite({ supervisor, directory, services, webhooks: receiver.url })
      return seen('ready')
    }
  )
  const ending = supervisor.keepRunning({ most: 100, withinMs: 60_000 })
  ending.catch(() => {})

  const buyers = new Buyers(addressesOf(site))
  for (let n = 0; n < BUYERS; n++) buyers.startBuying(site.buyer, { givesBack: true })
  for (let n = 0; n < HOLDERS; n++) buyers.startHolding(site.holder, HOLDER_PAUSE_MS)
  cleanup.defer(() => buyers.abandon())
  await buyers.untilSold(5)

  const faulty: Faulty = {
    directory,
    supervisor,
    cleanup,
    report,
    site,
    postgres,
    buyers,
    arrivals,
    disks,
    archive,
  }
  const backup = await backUp(faulty)
  await frozenPostgres(faulty)
  await postgresDiskFull(faulty)
  await exportsDiskFull(faulty)
  await clockAhead(faulty)
  await slowReceivers(faulty)
  await reportVerdict(report, buyers, site)
  await reportWebhooks(report, buyers, receiver.received)
  await report.check('invariants hold after all of this', () =>
    checkInvariants(site.databaseUrl, INVARIANTS_WITHIN_MS)
  )
  await floods(faulty)
  await restores(faulty, backup)
}
