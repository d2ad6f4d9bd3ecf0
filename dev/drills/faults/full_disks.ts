import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { poll } from '../../poll.ts'
import { fill, makeRoom } from '../debian_postgres.ts'
import { seen } from '../drill_report.ts'
import { query } from '../query.ts'
import type { Faulty } from './faults_drill.ts'

const FULL_MS = 15_000
const SELLS_WITHIN_MS = 60_000
const RUN_WITHIN_MS = 60_000

/** A segment is begun with each switch, so that the full disk is met at once and not after 16 MB of sales. */
async function switchWal(databaseUrl: string) {
  const until = Date.now() + FULL_MS
  while (Date.now() < until) {
    await query(
      databaseUrl,
      `SELECT pg_logical_emit_message(true, 'drill', 'x'), pg_switch_wal()`
    ).catch(() => {})
    await delay(250)
  }
}

/** No room for WAL: PostgreSQL ends its processes, recovers, and fails again until there is room. */
export async function postgresDiskFull({ report, site, buyers, disks }: Faulty) {
  const mustHold = `disk of PostgreSQL full for ${FULL_MS / 1_000} s: requests are refused with 503 and Retry-After, and none is answered and lost`
  await report.check(mustHold, async () => {
    fill(disks.postgres)
    const fullAt = new Date()
    try {
      await switchWal(site.databaseUrl)
    } finally {
      makeRoom(disks.postgres)
    }
    const sent = buyers.since(fullAt)
    const refused = sent.filter(({ status, retryAfter }) => status === 503 && retryAfter)
    const wrong = sent.filter(
      ({ status }) => status === undefined || (status >= 500 && status !== 503)
    )
    const text = `${refused.length} of ${sent.length} refused, ${wrong.length} otherwise failed`
    return seen(text, refused.length > 0 && wrong.length === 0)
  })
  await report.check('when there is room, sales go on by themselves', async () => {
    const began = performance.now()
    await buyers.untilSold(5, SELLS_WITHIN_MS)
    return seen(`five more sales after ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  })
}

const REQUEST = `
  INSERT INTO settlement_runs (kind, partner_id, params, language, request_sha256, asked_by, asked_by_kind)
  SELECT 'workbook', id, jsonb_build_object('partnerCode', code, 'hasTwins', false, 'from', date_trunc('month', now() - interval '1 month'),
         'to', date_trunc('month', now())), 'ru', gen_random_uuid(), 'drill', 'console'
    FROM partners WHERE code = 'kassa' RETURNING id`

interface Run {
  state: string
  error: unknown
}

/** A workbook of a partner that has sold in earlier months. */
async function writeWorkbook(databaseUrl: string): Promise<Run> {
  const [{ id }] = await query<{ id: number }>(databaseUrl, REQUEST)
  const read = async () =>
    (
      await query<Run>(databaseUrl, 'SELECT state, error FROM settlement_runs WHERE id = $1', [id])
    )[0]
  await poll(async () => !['queued', 'running'].includes((await read()).state), {
    withinMs: RUN_WITHIN_MS,
    everyMs: 500,
  })
  return read()
}

const filesOf = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'ballast')
    .map(({ name }) => name)

/** Workbooks are written to a file system without room; sales don't need it. */
export async function exportsDiskFull({ report, site, buyers, disks }: Faulty) {
  await report.check(
    'disk of exports full: a workbook fails with its reason and leaves no file; sales go on',
    async () => {
      const before = filesOf(disks.exports)
      fill(disks.exports)
      try {
        const run = await writeWorkbook(site.databaseUrl)
        await buyers.untilSold(5)
        const left = filesOf(disks.exports).length - before.length
        const text = `${run.state} ${JSON.stringify(run.error)}, ${left} files left, five more sales`
        return seen(text, run.state === 'failed' && run.error !== null && left === 0)
      } finally {
        makeRoom(disks.exports)
      }
    }
  )
  await report.check('when there is room, the workbook is written', async () => {
    const run = await writeWorkbook(site.databaseUrl)
    return seen(run.state, run.state === 'succeeded')
  })
}
