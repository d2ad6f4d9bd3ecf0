import { setTimeout as delay } from 'node:timers/promises'
import { aReceiver } from '../../../tests/support/receiver.ts'
import { poll } from '../../poll.ts'
import { StartUpError } from '../../start_up_error.ts'
import { Supervisor } from '../../supervisor.ts'
import { assertRoot, ensurePackages } from '../debian_packages.ts'
import type { Drill, DrillContext } from '../drill.ts'
import { type DrillReport, seen } from '../drill_report.ts'
import { checkInvariants } from '../invariants.ts'
import { type Buyer, Buyers } from '../load/buyers.ts'
import type { Parties } from '../load/parties.ts'
import { longestPauseSeconds, refusedSeconds } from '../load/pauses.ts'
import { reportVerdict, reportWebhooks } from '../load/report_verdict.ts'
import { signedCall } from '../load/signed_call.ts'
import { buildIfStale } from '../production_build.ts'
import { query } from '../query.ts'
import { HA_PACKAGES, HaSite, membersInWords } from './ha_site.ts'
import { MachinePrograms, webOf } from './machine_programs.ts'
import { createNetwork, HOST, type Machine } from './machines.ts'

const BUYERS = 4
const HOLDER_PAUSE_MS = 500
/** The kernel and HAProxy wait that long for what is gone, and buyers for an answer of a machine that is off. */
const LOST_MACHINE_SECONDS = 20
const INVARIANTS_WITHIN_MS = 120_000
const SERVES_WITHIN_SECONDS = 30
const SWITCHOVER_SECONDS = 3
const ABSENCE_MS = 40_000
const WITHOUT_REDIS_MS = 15_000
/** Of the partner that does not buy, while Redis is lost. */
const REQUESTS_PER_MINUTE = 30
const LIMIT_WINDOW_MS = 61_000
const REDIS_PROMOTED_WITHIN_MS = 60_000
/** Of a machine's processes; its Sentinel has another port. */
const REDIS_SERVER = /redis-server.*:6379/
const SELLS_WITHIN_MS = 90_000

interface Running {
  report: DrillReport
  site: HaSite
  buyers: Buyers
  parties: Parties
}

/** Several machines on one: loses the primaries of PostgreSQL and Redis in every way, and one machine of each other kind, under load. */
export const haDrill: Drill = { run }

async function run({ report, cleanup, directory }: DrillContext) {
  assertRoot()
  const supervisor = new Supervisor(directory)
  const site = new HaSite(new MachinePrograms(supervisor, directory))
  await report.require('Patroni, etcd, HAProxy, Redis and PostgreSQL 15 come from Debian', () =>
    ensurePackages(supervisor, HA_PACKAGES)
  )
  await report.require(
    'db1, db2, db3 (etcd, Patroni, Redis, Sentinel): one primary, one synchronous standby, one more',
    async () => {
      await buildIfStale(supervisor)
      createNetwork(site.machines, cleanup)
      site.createCertificate()
      cleanup.defer(() => supervisor.stop())
      await site.startDatabases()
      return seen(membersInWords(await site.members()))
    }
  )
  let parties!: Parties
  let receiver!: Awaited<ReturnType<typeof aReceiver>>
  await report.require(
    'app1, app2 (HAProxy, web, worker), front1 and front2 (keepalived, HAProxy with TLS) are ready',
    async () => {
      receiver = await aReceiver(undefined, HOST)
      cleanup.defer(() => receiver.close())
      parties = await site.startApplication(receiver.url)
      return seen('ready')
    }
  )
  const buyers = new Buyers([site.url], { ca: site.ca })
  for (let n = 0; n < BUYERS; n++) buyers.startBuying(parties.buyer, { givesBack: true })
  const holders = new Buyers([site.url], { ca: site.ca })
  holders.startHolding(parties.holder, HOLDER_PAUSE_MS)
  cleanup.defer(() => [buyers, holders].forEach((each) => each.abandon()))
  await report.require('tickets are sold', async () => {
    await buyers.untilSold(5, SELLS_WITHIN_MS)
    return seen('five sales')
  })
  const running: Running = { report, site, buyers, parties }
  await killPrimary(running)
  await switchOver(running)
  await cutOffPrimary(running)
  await freezePrimary(running)
  await killOthers(running)
  // Each web process knows what it was asked in the last minute; the limit of this partner is looked at without Redis.
  await holders.stop()
  const forgottenAt = Date.now() + LIMIT_WINDOW_MS
  await killRedisPrimary(running)
  await delay(Math.max(0, forgottenAt - Date.now()))
  await loseRedis(running)
  await restartInTurn(running)
  await refuseWrongSettings(running)
  await refuseSuperuser(running)
  await reportVerdict(report, buyers, {
    databaseUrl: await site.primaryUrl(),
    buyer: parties.buyer,
  })
  await reportWebhooks(report, holders, receiver.received)
  await report.check('invariants hold after all of this, read from a standby', async () =>
    checkInvariants(await site.primaryUrl(), INVARIANTS_WITHIN_MS)
  )
}

async function thePrimary(site: HaSite): Promise<Machine> {
  const primary = await site.primary()
  if (!primary) throw new StartUpError('no machine is the primary')
  return primary
}

const otherThan = (site: HaSite, machine: Machine) =>
  site.databases.filter((each) => each !== machine)

async function killPrimary(running: Running) {
  const { report, site, buyers } = running
  const mustHold = `machine of the primary killed: another one serves within ${SERVES_WITHIN_SECONDS} s`
  await report.check(mustHold, async () => {
    const primary = await thePrimary(site)
    const since = new Date()
    primary.kill()
    const isReplaced = async () => {
      const now = await site.primary()
      return now !== undefined && now !== primary
    }
    await poll(isReplaced, { withinMs: SELLS_WITHIN_MS, everyMs: 200 })
    await buyers.untilSold(3, SELLS_WITHIN_MS)
    const seconds = longestPauseSeconds(buyers, since)
    const now = await site.primary()
    const text = `${primary.name} → ${now?.name}, longest pause between sales ${seconds.toFixed(1)} s`
    await site.startDatabase(primary)
    return seen(text, now !== undefined && now !== primary && seconds < SERVES_WITHIN_SECONDS)
  })
  await report.check('it comes back as a standby', async () => {
    await site.untilWhole()
    return seen(membersInWords(await site.members()))
  })
}

async function switchOver(running: Running) {
  const { report, site, buyers } = running
  const mustHold = `planned switchover: sales are refused for at most ${SWITCHOVER_SECONDS} s`
  let pause = Infinity
  await report.check(mustHold, async () => {
    const primary = await thePrimary(site)
    const since = new Date()
    const answer = await site.switchOver(primary)
    await buyers.untilSold(5, SELLS_WITHIN_MS)
    pause = longestPauseSeconds(buyers, since)
    const now = await site.primary()
    const { count, seconds } = refusedSeconds(buyers, since)
    const text = `${answer}; ${count} requests refused, over ${seconds.toFixed(1)} s`
    return seen(text, now !== undefined && now !== primary && seconds <= SWITCHOVER_SECONDS)
  })
  await report.check(
    `no pause between its sales is longer than ${SWITCHOVER_SECONDS} s`,
    // Requests that wait are not refused: only the pause shows them.
    async () => seen(`${pause.toFixed(1)} s`, pause <= SWITCHOVER_SECONDS)
  )
  await report.check('all three are whole again', async () => {
    await site.untilWhole()
    return seen(membersInWords(await site.members()))
  })
}

/** It still runs and the application still reaches it: only etcd and the standbys are out of its reach. */
const cutOffPrimary = (running: Running) =>
  replacePrimary(running, {
    mustHold:
      'primary cut off from the other two for 40 s, still running and reachable for web: another one takes over, sales go on',
    whenBack: 'it gives up what nobody else has, and is a standby again',
    takeAway: (primary, others) => primary.cutOff(others),
    giveBack: (primary, others) => primary.reconnect(others),
  })

/** It still believes that it is the primary when it goes on, until it has asked etcd. */
const freezePrimary = (running: Running) =>
  replacePrimary(running, {
    mustHold:
      'machine of the primary frozen for 40 s with all that runs there: another one takes over, sales go on',
    whenBack: 'it goes on, learns that it is not the primary any more, and is a standby again',
    takeAway: (primary) => primary.freeze(),
    giveBack: (primary) => primary.thaw(),
  })

interface Absence {
  mustHold: string
  whenBack: string
  takeAway: (primary: Machine, others: Machine[]) => void
  giveBack: (primary: Machine, others: Machine[]) => void
}

async function replacePrimary(
  { report, site, buyers }: Running,
  { mustHold, whenBack, takeAway, giveBack }: Absence
) {
  let primary!: Machine
  await report.check(mustHold, async () => {
    primary = await thePrimary(site)
    const others = otherThan(site, primary)
    const since = new Date()
    takeAway(primary, others)
    try {
      await delay(ABSENCE_MS)
      await buyers.untilSold(3, SELLS_WITHIN_MS)
    } finally {
      giveBack(primary, others)
    }
    const now = await site.primary()
    const text = `${primary.name} → ${now?.name}, longest pause between sales ${longestPauseSeconds(buyers, since).toFixed(1)} s`
    return seen(text, now !== undefined && now !== primary)
  })
  await report.check(whenBack, async () => {
    await site.untilWhole()
    // What is lost next must not answer for this pause.
    await buyers.untilSold(5, SELLS_WITHIN_MS)
    const now = await site.primary()
    return seen(membersInWords(await site.members()), now !== undefined && now !== primary)
  })
}

/** One machine of each other kind, with all that runs there, and back. */
async function killOthers(running: Running) {
  const { site } = running
  const members = await site.members()
  const synchronous = members.find(({ role }) => role === 'sync_standby')?.name
  const standby = site.databases.find(({ name }) => name === synchronous)!
  await loseMachine(running, 'the synchronous standby', standby, {
    kill: () => standby.kill(),
    bringBack: () => site.startDatabase(standby).then(() => site.untilWhole()),
  })
  const [application] = site.applications
  await loseMachine(running, 'an application', application, {
    kill: () => application.kill(),
    bringBack: () => site.startApplicationMachine(application),
  })
  const front = site.fronts.find((each) => each.has(site.publicAddress))!
  await loseMachine(running, 'the public address', front, {
    kill: () => {
      front.unplug()
      front.kill()
    },
    bringBack: async () => {
      front.plugIn(site.publicAddress)
      await site.startFront(front)
    },
  })
}

interface Loss {
  kill: () => void
  bringBack: () => Promise<void>
}

async function loseMachine(
  { report, buyers }: Running,
  role: string,
  machine: Machine,
  { kill, bringBack }: Loss
) {
  await report.check(
    `machine of ${role} killed: sales pause for at most ${LOST_MACHINE_SECONDS} s, and go on when it is back`,
    async () => {
      const since = new Date()
      kill()
      await buyers.untilSold(20, SELLS_WITHIN_MS)
      const pause = longestPauseSeconds(buyers, since)
      const { count } = refusedSeconds(buyers, since)
      await bringBack()
      await buyers.untilSold(5, SELLS_WITHIN_MS)
      const text = `${machine.name}; longest pause between sales ${pause.toFixed(1)} s, ${count} requests refused`
      return seen(text, pause <= LOST_MACHINE_SECONDS)
    }
  )
}

async function killRedisPrimary(running: Running) {
  const { report, site, buyers } = running
  await report.check(
    'primary of Redis killed: sales go on, Sentinel promotes another, and web uses that one',
    async () => {
      // Earlier faults have moved it, too.
      const isKnown = async () => (await site.redisPrimary()) !== undefined
      await poll(isKnown, { withinMs: REDIS_PROMOTED_WITHIN_MS, everyMs: 500 })
      const primary = await site.redisPrimary()
      if (!primary) throw new StartUpError('the Sentinels agree on no primary of Redis')
      const since = new Date()
      primary.kill(REDIS_SERVER)
      await buyers.untilSold(10, SELLS_WITHIN_MS)
      const isReplaced = async () => {
        const now = await site.redisPrimary()
        return now !== undefined && now !== primary && (await site.haveRedis())
      }
      const isPromoted = await poll(isReplaced, {
        withinMs: REDIS_PROMOTED_WITHIN_MS,
        everyMs: 500,
      })
      await buyers.untilSold(10, SELLS_WITHIN_MS)
      const now = await site.redisPrimary()
      const { count } = refusedSeconds(buyers, since)
      const pause = longestPauseSeconds(buyers, since)
      await site.startRedis(primary)
      const text = `${primary.name} → ${now?.name}, longest pause between sales ${pause.toFixed(1)} s, ${count} requests refused`
      return seen(text, isPromoted && count === 0)
    }
  )
}

async function loseRedis(running: Running) {
  const { report, site, buyers, parties } = running
  await report.check('all of Redis lost for 15 s: sales go on', async () => {
    const since = new Date()
    for (const machine of site.databases) machine.kill(/redis-server/)
    await delay(WITHOUT_REDIS_MS)
    await buyers.untilSold(5, SELLS_WITHIN_MS)
    const { count } = refusedSeconds(buyers, since)
    const pause = longestPauseSeconds(buyers, since)
    return seen(`longest pause ${pause.toFixed(1)} s, ${count} requests refused`, count === 0)
  })
  await report.check(
    `meanwhile each web process keeps a partner's limit of ${REQUESTS_PER_MINUTE} requests a minute by itself`,
    async () => {
      await query(
        await site.primaryUrl(),
        'UPDATE partners SET requests_per_minute = $1 WHERE code = $2',
        [REQUESTS_PER_MINUTE, parties.holder.partner]
      )
      const counts = await Promise.all(
        site.applications.map((machine) => countAnswers(webOf(machine), parties.holder))
      )
      const expected = `${REQUESTS_PER_MINUTE} × 200, ${REQUESTS_PER_MINUTE} × 429`
      const texts = counts.map((count, index) => `${site.applications[index].name} ${count}`)
      return seen(
        texts.join('; '),
        counts.every((count) => count === expected)
      )
    }
  )
  await report.check('when Redis is back, both web processes use it again', async () => {
    for (const machine of site.databases) await site.startRedis(machine)
    for (const machine of site.databases) await site.startSentinel(machine)
    const isUsed = await poll(() => site.haveRedis(), {
      withinMs: REDIS_PROMOTED_WITHIN_MS,
      everyMs: 500,
    })
    return seen(isUsed ? 'used' : 'not used', isUsed)
  })
}

/** Twice as many reads as the limit allows, one after another; how often each status was answered. */
async function countAnswers(url: string, partner: Buyer) {
  const counts = new Map<number, number>()
  for (let n = 0; n < 2 * REQUESTS_PER_MINUTE; n++) {
    const { status } = await signedCall(url, partner, '/events')
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}

/** As an upgrade would, with the same release. */
async function restartInTurn(running: Running) {
  const { report, site, buyers } = running
  await report.check('web and worker restarted in turn: no request is refused', async () => {
    await buyers.untilSold(3, SELLS_WITHIN_MS)
    const since = new Date()
    for (const machine of site.applications) {
      await site.find('web', machine)!.stop()
      await site.startWeb(machine)
      await site.find('worker', machine)!.stop()
      await site.startWorker(machine)
      // HAProxy must have seen that it is back.
      await buyers.untilSold(5, SELLS_WITHIN_MS)
    }
    const { count, seconds } = refusedSeconds(buyers, since)
    const sent = buyers.since(since).length
    return seen(`${count} of ${sent} refused, over ${seconds.toFixed(1)} s`, count === 0)
  })
}

/** A process that would sell nothing, or limit nothing, must not look as if it served. */
async function refuseWrongSettings({ report, site }: Running) {
  const standby = otherThan(site, await thePrimary(site))[0]
  const wrong: [setting: string, value: string][] = [
    ['DATABASE_URL', site.databaseUrlOf(standby)],
    ['REDIS_SENTINEL_NAME', 'unknown'],
  ]
  for (const [setting, value] of wrong) {
    await report.check(
      `a wrong ${setting} ends a web process at the start, and is named`,
      async () => {
        const { code, problem } = await site.startWrongly(setting, value)
        return seen(`code ${code}: ${problem?.msg}`, code === 1 && problem?.setting === setting)
      }
    )
  }
}

async function refuseSuperuser({ report, site }: Running) {
  await report.check(
    'the superuser is let in from the machines of the database alone',
    async () => {
      const primary = await thePrimary(site)
      const [standby] = otherThan(site, primary)
      const [application] = site.applications
      const admitted = site.signInAsSuperuser(standby, primary)
      const refused = site.signInAsSuperuser(application, primary)
      const reason = refused.text.split('FATAL:').at(-1)!.trim()
      const text = `${standby.name} ${admitted.hasSucceeded ? 'let in' : admitted.text}; ${application.name}: ${reason}`
      return seen(text, admitted.hasSucceeded && refused.text.includes('pg_hba.conf rejects'))
    }
  )
}
