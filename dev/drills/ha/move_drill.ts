import { isDeepStrictEqual } from 'node:util'
import { aReceiver } from '../../../tests/support/receiver.ts'
import { poll } from '../../poll.ts'
import { StartUpError } from '../../start_up_error.ts'
import { Supervisor } from '../../supervisor.ts'
import { assertRoot, ensurePackages } from '../debian_packages.ts'
import type { Drill, DrillContext } from '../drill.ts'
import { type DrillReport, seen } from '../drill_report.ts'
import type { Buyers } from '../load/buyers.ts'
import { startLoad } from '../load/ground.ts'
import type { Parties } from '../load/parties.ts'
import { longestPauseSeconds, refusedSeconds } from '../load/pauses.ts'
import { reportVerdict, reportWebhooks } from '../load/report_verdict.ts'
import { signedCall } from '../load/signed_call.ts'
import { buildIfStale } from '../production_build.ts'
import { queryOne } from '../query.ts'
import { HA_PACKAGES, HaSite, membersInWords } from './ha_site.ts'
import { MachinePrograms, webOf } from './machine_programs.ts'
import { createNetwork, HOST, type Machine } from './machines.ts'
import { SingleMachine } from './single_machine.ts'

const SELLS_WITHIN_MS = 90_000
const REPLAYS_WITHIN = { withinMs: 30_000, everyMs: 100 }
const RUNS_WITHIN = { withinMs: 60_000, everyMs: 250 }
const RESTART_SECONDS = 10
const PAUSE_SECONDS = 30
const REPEATED_CONFIRMS = 50

interface Move {
  report: DrillReport
  site: HaSite
  old: SingleMachine
  buyers: Buyers
  parties: Parties
}

/** From one machine to several, in the steps of docs/operations.md, while tickets are sold. */
export const moveDrill: Drill = { run }

async function run({ report, cleanup, directory }: DrillContext) {
  assertRoot()
  const supervisor = new Supervisor(directory)
  const programs = new MachinePrograms(supervisor, directory)
  const site = new HaSite(programs)
  const password = site.passwords.superuser
  const old = new SingleMachine({ programs, env: site.env, password })
  await report.require('Patroni, etcd, HAProxy, Redis and PostgreSQL 15 come from Debian', () =>
    ensurePackages(supervisor, HA_PACKAGES)
  )
  let parties!: Parties
  let receiver!: Awaited<ReturnType<typeof aReceiver>>
  await report.require(
    'PostgreSQL, Redis, web and worker of the old machine are ready',
    async () => {
      await buildIfStale(supervisor)
      createNetwork([old.machine, ...site.machines], cleanup)
      site.createCertificate()
      cleanup.defer(() => supervisor.stop())
      receiver = await aReceiver(undefined, HOST)
      cleanup.defer(() => receiver.close())
      parties = await old.start(receiver.url)
      return seen('ready')
    }
  )
  const buyers = startLoad(parties, cleanup, { givesBack: true, servers: [old.url], ca: site.ca })
  await report.require('it sells', async () => {
    await buyers.untilSold(5, SELLS_WITHIN_MS)
    return seen('five sales')
  })
  const move: Move = { report, site, old, buyers, parties }
  await prepare(move)
  await moveOver(move)
  await judge(move)
  await reportVerdict(report, buyers, {
    databaseUrl: await site.primaryUrl(),
    buyer: parties.buyer,
  })
  await reportWebhooks(report, buyers, receiver.received)
}

/** What can be done at leisure, before sales stop. */
async function prepare({ report, site, old, buyers }: Move) {
  await report.require(
    `its PostgreSQL restarted once, to listen to db1, db2, db3: sales are refused for at most ${RESTART_SECONDS} s`,
    async () => {
      const since = new Date()
      await old.admit(site.databases, site.passwords)
      await buyers.untilSold(5, SELLS_WITHIN_MS)
      const { count, seconds } = refusedSeconds(buyers, since)
      const text = `${count} requests refused, over ${seconds.toFixed(1)} s`
      return seen(text, seconds <= RESTART_SECONDS)
    }
  )
  await report.require(
    'Patroni on db1 copies it, db2 and db3 copy db1, each follows; meanwhile it sells and refuses nothing',
    async () => {
      const [since, sales] = [new Date(), buyers.sales]
      await site.startDatabasesAsStandbyOf(old.machine)
      const [{ orders }] = await old.query<{ orders: number }>(COUNT_ORDERS)
      const counts = () => Promise.all(site.databases.map((each) => countOrders(site, each)))
      const follow = async () => {
        const followed = await counts()
        return followed.every((count) => count >= orders)
      }
      const isFollowed = await poll(follow, REPLAYS_WITHIN)
      const followed = await counts()
      const { count } = refusedSeconds(buyers, since)
      const text = `${membersInWords(await site.members())}; ${orders} orders, then ${followed.join(', ')}; ${buyers.sales - sales} sales meanwhile, ${count} requests refused`
      return seen(text, isFollowed && count === 0)
    }
  )
  await report.require('Redis, Sentinel and the proxies run, and lead nowhere yet', async () => {
    await site.startRedisOnAll()
    await site.startProxies()
    const isPrimary = (await site.primary()) !== undefined
    return seen(isPrimary ? 'there is a second primary' : 'no primary there', !isPrimary)
  })
}

/** The sandbox asks for some; the worker may be at them at the restart, and at the move. */
const COUNT_RUNS = `SELECT count(*)::int AS runs, (count(*) FILTER (WHERE state = 'succeeded'))::int AS made FROM settlement_runs`
const COUNT_ORDERS = 'SELECT count(*)::int AS orders FROM orders'

async function countOrders(site: HaSite, machine: Machine) {
  const url = site.superuserUrlOf(machine)
  const { orders } = await queryOne<{ orders: number }>(url, COUNT_ORDERS)
  return orders
}

/** Sales stop here, and go on there. */
async function moveOver({ report, site, old, buyers }: Move) {
  const [first] = site.databases
  await buyers.untilSold(5, SELLS_WITHIN_MS)
  const since = new Date()
  const secondsSince = () => `${((Date.now() - since.getTime()) / 1_000).toFixed(1)} s`
  await report.require(
    'web, worker, then PostgreSQL of the old machine stop, and db1 has all of it',
    async () => {
      await old.stop('web', 'worker')
      if (!(await poll(() => old.isReplayedBy(first), REPLAYS_WITHIN)))
        throw new StartUpError('db1 has not replayed what the old machine has written')
      const replayed = secondsSince()
      await old.stop('postgres', 'redis')
      const { state, checkpoint } = old.controlData()
      const sql = `SELECT pg_last_wal_replay_lsn() AS lsn, pg_last_wal_replay_lsn() > $1::pg_lsn AS "hasAll"`
      const replay = () =>
        queryOne<{ lsn: string; hasAll: boolean }>(site.superuserUrlOf(first), sql, [checkpoint])
      const isReplayed = async () => {
        const { hasAll } = await replay()
        return hasAll
      }
      await poll(isReplayed, REPLAYS_WITHIN)
      const { lsn, hasAll } = await replay()
      const text = `replayed after ${replayed}; ${state}, its last record at ${checkpoint}, db1 at ${lsn}`
      return seen(text, state === 'shut down' && hasAll)
    }
  )
  await report.require(
    'without standby_cluster db1 is the primary, with a synchronous standby and one more',
    async () => {
      await site.endStandby()
      await site.untilWhole()
      return seen(`${membersInWords(await site.members())}, after ${secondsSince()}`)
    }
  )
  await report.require('web and worker start on app1 and app2 and use the new Redis', async () => {
    await Promise.all(site.applications.map((machine) => site.startWeb(machine)))
    buyers.comeBack(site.url)
    buyers.leave(old.url)
    const ready = secondsSince()
    await Promise.all(site.applications.map((machine) => site.startWorker(machine)))
    const haveRedis = await site.haveRedis()
    return seen(`web ready after ${ready}${haveRedis ? '' : ', without Redis'}`, haveRedis)
  })
  await report.check(
    `sales pause for at most ${PAUSE_SECONDS} s, from the stop of web to the first at the new front`,
    async () => {
      await buyers.untilSold(20, SELLS_WITHIN_MS)
      const pause = longestPauseSeconds(buyers, since)
      return seen(`${pause.toFixed(1)} s`, pause <= PAUSE_SECONDS)
    }
  )
}

async function judge({ report, site, old, buyers, parties }: Move) {
  await report.check(
    `confirms that the old machine answered are answered the same by the new ones`,
    async () => {
      const answered = buyers.exchanges
        .filter(
          ({ step, status, server }) => step === 'confirm' && status === 200 && server === old.url
        )
        .slice(-REPEATED_CONFIRMS)
      const url = webOf(site.applications[0])
      const answers = await Promise.all(
        answered.map(async ({ key, body, data }) => {
          const content = JSON.parse(body)
          const again = await signedCall(url, parties.buyer, `/orders/${key}/confirm`, { content })
          return again.status === 200 && isDeepStrictEqual(again.data, data)
        })
      )
      const same = answers.filter(Boolean).length
      const text = `${same} of the last ${answers.length}`
      return seen(text, answers.length === REPEATED_CONFIRMS && same === answers.length)
    }
  )
  await report.check('reports that the old machine was asked for are made', async () => {
    const url = await site.primaryUrl()
    const count = () => queryOne<{ made: number; runs: number }>(url, COUNT_RUNS)
    const areMade = async () => {
      const { made, runs } = await count()
      return made === runs
    }
    await poll(areMade, RUNS_WITHIN)
    const { made, runs } = await count()
    return seen(`${made} of ${runs}`, runs > 0 && made === runs)
  })
  await report.check('nothing of the old machine runs any more', async () => {
    const { running } = old
    const text = running.length === 0 ? 'nothing' : running.join(', ')
    return seen(`${text}; PostgreSQL ${old.controlData().state}`, running.length === 0)
  })
  await report.check(
    'the new ones are whole: one primary, one synchronous standby, one more',
    async () => {
      await site.untilWhole()
      return seen(membersInWords(await site.members()))
    }
  )
}
