import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../../paths.ts'
import { poll } from '../../poll.ts'
import type { DatabaseUrls } from '../../postgres.ts'
import { freePort } from '../../ports.ts'
import { postgresAccount } from '../../postgres_account.ts'
import { StartUpError } from '../../start_up_error.ts'
import { DebianPostgres, makeOwn, BINARIES } from '../debian_postgres.ts'
import { seen } from '../drill_report.ts'
import { checkInvariants } from '../invariants.ts'
import { storedTickets } from '../load/report_verdict.ts'
import { query, queryOne } from '../query.ts'
import { addressesOf, type Site, WORK } from '../site.ts'
import type { Faulty } from './faults_drill.ts'
import { finishRestore, readAsPartner, readFeed, settingsOf } from './restored_copy.ts'

export const BACKUP_SCRIPTS = join(root, 'deploy/backup')
const RECOVERED_WITHIN_MS = 120_000
const INVARIANTS_WITHIN_MS = 120_000

/** What `deploy/backup` has made, and a moment after it that a restore must come to. */
export interface Backup {
  began: Date
  ended: Date
  /** The unpacked base backup. */
  data: string
  dump: string
  /** The unpacked storage directory. */
  files: string
  moment: Date
}

const secondsSince = (began: number) => ((performance.now() - began) / 1_000).toFixed(1)

/** During sales: the published backup, then some more sales before the moment. */
export async function backUp(faulty: Faulty): Promise<Backup> {
  const { report, directory, buyers, site } = faulty
  const backups = join(directory, 'backups')
  const [data, files, ofDump] = ['base', 'files', 'night'].map((name) => join(directory, name))
  const dump = join(ofDump, 'tickets.dump')
  let [began, ended, moment] = [new Date(), new Date(), new Date()]
  await report.require(
    'deploy/backup under load, as a role that only reads: base backup, dump and files',
    async () => {
      await buyers.untilSold(20)
      began = await clockOf(site)
      await runBackup(faulty, backups)
      ended = await clockOf(site)
      await buyers.untilSold(10)
      moment = await clockOf(site)
      await buyers.untilSold(5)
      const names = readdirSync(backups).filter((name) => name !== 'lock')
      const made = join(backups, names[0])
      for (const folder of [data, ofDump, files]) makeOwn(folder)
      unpack(join(made, 'base/base.tar.gz'), data)
      unpack(join(made, 'storage.tar.gz'), files)
      copyFileSync(join(made, 'tickets.dump'), dump)
      chmodSync(dump, 0o644)
      const parts = readdirSync(made).toSorted().join(', ')
      const took = ((ended.getTime() - began.getTime()) / 1_000).toFixed(1)
      const isWhole = names.length === 1 && parts === 'base, storage.tar.gz, tickets.dump'
      return seen(`${took} s; ${parts}`, isWhole)
    }
  )
  return { began, ended, data, dump, files, moment }
}

async function clockOf({ databaseUrl }: Site) {
  const [{ now }] = await query<{ now: Date }>(databaseUrl, 'SELECT clock_timestamp() AS now')
  return now
}

/** Who backs up can change nothing. */
const BACKUP_ROLE = 'tickets_backup'

async function runBackup({ supervisor, postgres, directory, site, archive }: Faulty, to: string) {
  const password = randomBytes(18).toString('base64url')
  await query(
    postgres.url,
    `CREATE ROLE ${BACKUP_ROLE} LOGIN REPLICATION PASSWORD '${password}' IN ROLE pg_read_all_data`
  )
  const passwords = join(directory, 'backup.pgpass')
  writeFileSync(passwords, `*:*:*:${BACKUP_ROLE}:${password}\n`, { mode: 0o600 })
  await supervisor.run({
    name: 'backup',
    command: join(BACKUP_SCRIPTS, 'ticket-partners-backup'),
    args: [],
    cwd: '/',
    env: {
      PATH: `${BINARIES}:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
      PGPORT: new URL(postgres.url).port,
      PGUSER: BACKUP_ROLE,
      PGPASSFILE: passwords,
      BACKUP_DIRECTORY: to,
      STORAGE_DIRECTORY: site.env.STORAGE_DIRECTORY,
      WAL_ARCHIVE: archive,
    },
    output: { file: join(directory, 'backup.log') },
  })
}

const unpack = (file: string, to: string) =>
  execFileSync('tar', ['--extract', '--gzip', `--file=${file}`, `--directory=${to}`])

/** Restores the base backup and the archived WAL to the moment, then a dump of that into a cluster of its own. */
export async function restores(faulty: Faulty, backup: Backup) {
  const { data, moment } = backup
  const { report, supervisor, directory, postgres, archive, arrivals } = faulty
  const sent = arrivals.length
  const live = await readFeed(addressesOf(faulty.site)[0], faulty.site.buyer)
  await report.check('what was written is archived', async () => {
    const [{ wal }] = await query<{ wal: string }>(postgres.url, SWITCH)
    const archiver = () => queryOne<Archiver>(postgres.url, ARCHIVER, [wal])
    const isArchived = async () => {
      const { isDone } = await archiver()
      return isDone
    }
    await poll(isArchived, ARCHIVED_WITHIN)
    const { isDone, last, failed } = await archiver()
    return seen(`${wal} asked for, ${last} archived; ${failed} attempts failed`, isDone)
  })
  const restored = new DebianPostgres({
    supervisor,
    directory,
    name: 'restored PostgreSQL',
    data,
    port: await freePort(),
    password: postgres.password,
    settings: { archive_mode: 'off' },
  })
  const mustHold =
    'base backup and WAL to a moment: every sale answered before it is there, none from after it'
  await report.check(mustHold, async () => {
    const began = performance.now()
    recoverTo(data, archive, moment)
    await restored.start()
    const isOpen = async () => {
      const sql = 'SELECT NOT pg_is_in_recovery() AS is_open'
      const { is_open: answer } = await queryOne<{ is_open: boolean }>(restored.url, sql)
      return answer
    }
    if (!(await poll(isOpen, { withinMs: RECOVERED_WITHIN_MS, everyMs: 100 })))
      throw new StartUpError('it did not reach the moment')
    const took = secondsSince(began)
    return compareWithAnswers(faulty, restored.url, { began: moment, ended: moment }, took)
  })
  await report.check('invariants hold there', () =>
    withWorker(faulty, 'restored worker', restored.urls, 1)
  )
  const fresh = new DebianPostgres({
    supervisor,
    directory,
    name: 'new PostgreSQL',
    data: join(directory, 'new'),
    port: await freePort(),
  })
  await report.check('a dump of it is restored into a new cluster, row for row', async () => {
    await fresh.initialise()
    await fresh.start()
    await fresh.createRoles()
    await fresh.createDatabase()
    const began = performance.now()
    const file = join(directory, 'dump')
    makeOwn(file)
    const dump = join(file, 'tickets.dump')
    await restored.run('pg_dump', ['--format=custom', `--file=${dump}`, 'tickets'])
    const dumped = secondsSince(began)
    await fresh.run('pg_restore', ['--dbname=tickets', '--exit-on-error', '--jobs=2', dump])
    const [before, after] = [await countRows(restored.url), await countRows(fresh.url)]
    const differing = before.filter(
      ({ name, rows }) => after.find((each) => each.name === name)?.rows !== rows
    )
    const total = before.reduce((sum, { rows }) => sum + rows, 0)
    const text = `dumped in ${dumped} s, restored after ${secondsSince(began)} s; ${total} rows of ${before.length} tables`
    const named = differing.map(({ name }) => name).filter((name) => !LIVELY.includes(name))
    return seen([text, ...named].join(', '), named.length === 0 && before.length > 0)
  })
  await report.check('invariants hold there, too', () =>
    withWorker(faulty, 'worker of the new cluster', fresh.urls, 2)
  )
  await restoreNight(faulty, backup, fresh)
  const copies = [
    { name: 'the restored database', urls: restored.urls, redis: 1 },
    { name: 'the new cluster', urls: fresh.urls, redis: 2 },
  ]
  for (const copy of copies) await readAsPartner(faulty, copy, live)
  await report.check('neither copy sends a webhook', async () =>
    seen(`${arrivals.length - sent} sent`, arrivals.length === sent)
  )
  await finishRestore(faulty, copies[1])
}

/** Next to the database of the same cluster; what was written when the dump was made may be on either side of it. */
async function restoreNight(faulty: Faulty, backup: Backup, fresh: DebianPostgres) {
  const { report, site } = faulty
  await report.check(
    'the dump of the backup: every sale answered before it began is there, none from after its end',
    async () => {
      const began = performance.now()
      await fresh.createDatabase('night')
      await fresh.run('pg_restore', ['--dbname=night', '--exit-on-error', '--jobs=2', backup.dump])
      return compareWithAnswers(faulty, fresh.urlOf('night'), backup, secondsSince(began))
    }
  )
  await report.check(
    'the files of the backup: registers and workbooks as the storage directory has them',
    async () => {
      const saved = readdirSync(backup.files, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile() && !each.name.endsWith(UNFINISHED))
        .map((each) => relative(backup.files, join(each.parentPath, each.name)))
        .filter((name) => !name.startsWith(REWRITTEN))
      const contentsOf = (folder: string, name: string) => readFileSync(join(folder, name))
      const differing = saved.filter(
        (name) =>
          !contentsOf(backup.files, name).equals(contentsOf(site.env.STORAGE_DIRECTORY!, name))
      )
      const text = `${saved.length} files, ${differing.length} differ`
      return seen(text, saved.length > 0 && differing.length === 0)
    }
  )
}

/** A worker writes there how far the database has come. */
const REWRITTEN = 'restores/'
const UNFINISHED = '.part'

/** Ends the segment that has the last sale; its name. */
const SWITCH = 'SELECT pg_walfile_name(pg_switch_wal()) AS wal'
interface Archiver {
  isDone: boolean
  last: string | null
  failed: number
}
const ARCHIVER = `SELECT coalesce(last_archived_wal >= $1, false) AS "isDone", last_archived_wal AS last, failed_count::int AS failed
                    FROM pg_stat_archiver`
const ARCHIVED_WITHIN = { withinMs: 30_000, everyMs: 250 }

function recoverTo(data: string, archive: string, moment: Date) {
  const settings = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${moment.toISOString().replace('T', ' ').replace('Z', '+00')}'`,
    `recovery_target_action = 'promote'`,
  ]
  appendFileSync(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  const signal = join(data, 'recovery.signal')
  writeFileSync(signal, '')
  const { uid, gid } = postgresAccount()!
  chownSync(signal, uid, gid)
}

const SOLD = ['paid', 'refunded']

async function compareWithAnswers(
  { buyers, site }: Faulty,
  databaseUrl: string,
  { began, ended }: Pick<Backup, 'began' | 'ended'>,
  took: string
) {
  const stored = await storedTickets(databaseUrl, site.buyer.eventId)
  const sold = new Set(
    stored
      .filter(({ order_status: status }) => SOLD.includes(status))
      .map(({ order_id: order }) => order)
  )
  const sales = buyers.exchanges.filter(({ step, status }) => step === 'confirm' && status === 200)
  const first = [...Map.groupBy(sales, ({ key }) => key)].map(([order, answers]) => ({
    order,
    sentAt: answers[0].at.getTime(),
    answeredAt: answers[0].at.getTime() + answers[0].ms,
  }))
  const before = first.filter(({ answeredAt }) => answeredAt < began.getTime())
  const after = first.filter(({ sentAt }) => sentAt > ended.getTime())
  const missing = before.filter(({ order }) => !sold.has(order))
  const early = after.filter(({ order }) => sold.has(order))
  const text = `restored in ${took} s; ${missing.length} of ${before.length} missing, ${early.length} of ${after.length} from after it`
  return seen(text, before.length > 0 && after.length > 0 && missing.length + early.length === 0)
}

/** With queues of its own, in another database of the same Redis; nothing that was due at the time of the backup leaves it. */
async function withWorker(faulty: Faulty, name: string, urls: DatabaseUrls, redis: number) {
  const { supervisor, site } = faulty
  const env = {
    ...settingsOf(faulty, { name, urls, redis }),
    WORKER_PORT: String(await freePort()),
  }
  const worker = await supervisor.start(site.program(name, env, WORK))
  try {
    return await checkInvariants(urls.owner, INVARIANTS_WITHIN_MS)
  } finally {
    await worker.stop()
  }
}

/** The restored database's own worker has stopped, but its last writes may come after the dump. */
const LIVELY = ['workers']

async function countRows(databaseUrl: string) {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`
  )
  const counts: { name: string; rows: number }[] = []
  for (const { name } of tables) {
    const [{ rows }] = await query<{ rows: number }>(
      databaseUrl,
      `SELECT count(*)::int AS rows FROM ${name}`
    )
    counts.push({ name, rows })
  }
  return counts
}
