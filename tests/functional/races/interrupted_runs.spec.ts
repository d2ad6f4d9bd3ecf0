import AskForRun from '#runs/ask_for_run/ask_for_run'
import CancelRun from '#runs/cancel_run'
import { askFor, filesOf, performRun, runRow } from '#tests/support/runs'
import { runDirectory } from '#runs/run_files'
import { listSheets } from '#spreadsheets/read_table'
import { aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sleep } from './support/crowd.js'
import { RedisProcess } from './support/redis_process.js'
import { WorkerProcess } from './support/worker_process.js'

const MOVEMENTS = 25_000
/** Progress is stored twice a second: a larger share may not be seen before the end. */
const BEGUN = 0.2
/** The usual grace before a kill. */
const SOON_MS = 10_000

/** So many movements that writing them takes seconds. */
const fillLedger = ({ id }: TestPartner) =>
  ownerRows(
    `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, source, event_id, order_id, effective_at)
     SELECT m.partner_id, 'sale', 0, m.source || '-' || n, m.event_id, m.order_id, now()
       FROM ledger_movements m, generate_series(1, ?::int) n WHERE m.partner_id = ? AND m.kind = 'sale'`,
    MOVEMENTS,
    id
  )

async function until(isSo: () => Promise<boolean>, withinMs = 60_000) {
  const deadline = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('it did not come to that')
    await sleep(50)
  }
}

test.group('Runs of a dead worker', (group) => {
  let redis: RedisProcess
  const workers: WorkerProcess[] = []

  const aWorker = () => {
    const worker = new WorkerProcess({ REDIS_URL: redis.url })
    worker.start()
    workers.push(worker)
    return worker
  }
  group.setup(async () => {
    redis = await RedisProcess.start()
  })
  group.teardown(async () => {
    for (const worker of workers) await worker.stop('SIGKILL')
    await redis.kill()
  })

  const isPast = async (runId: number, share: number) => {
    const { progress } = await runRow(runId)
    return progress !== null && progress.rowsDone >= share * progress.rowsTotal
  }
  const isIn = async (runId: number, state: string) => {
    const run = await runRow(runId)
    return run.state === state
  }
  async function aLongExport() {
    const { partner, client, event } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    await fillLedger(partner)
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
    const range = { from: day(-1), to: day(1) }
    const params = { partnerCode: partner.code, hasTwins: false, ...range }
    const { runId } = await askFor(partner, 'workbook', params)
    return runId
  }

  test('a run whose worker is killed is started again by another worker and leaves no partial files', async ({
    assert,
  }) => {
    const runId = await aLongExport()
    const first = aWorker()
    await until(() => isPast(runId, BEGUN))
    await first.stop('SIGKILL')
    const { claim: died } = await runRow(runId)
    assert.isTrue(await isIn(runId, 'running'))

    aWorker()
    await ownerRows('UPDATE settlement_runs SET lease_until = now() WHERE id = ?', runId)
    await until(() => isIn(runId, 'succeeded'))
    const { attempts, claim } = await runRow(runId)
    assert.equal(attempts, 2)
    assert.notEqual(claim, died)
    const [file] = await filesOf(runId)
    const directory = await runDirectory(runId, claim!)
    const path = join(directory, file.name)
    const bytes = await readFile(path)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), file.sha256)
    const sheets = await listSheets(path)
    assert.isAbove(sheets.length, 10)
    assert.deepEqual(await readdir(directory), [file.name])
    const others = await readdir(dirname(directory))
    assert.includeMembers(others, [`${runId}-${claim}`])
  }).timeout(120_000)

  test('a stopping worker hands its run back and ends at once', async ({ assert }) => {
    const runId = await aLongExport()
    const [worker] = workers.slice(-1)
    await until(() => isPast(runId, BEGUN))
    const began = performance.now()
    assert.equal(await worker.stop('SIGTERM'), 0)
    assert.isBelow(performance.now() - began, SOON_MS)
    assert.isTrue(await isIn(runId, 'queued'))
    aWorker()
    await until(() => isIn(runId, 'succeeded'))
    const { attempts } = await runRow(runId)
    assert.equal(attempts, 1)
  }).timeout(120_000)
})

test.group('Events at the moment a run ends', () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
  async function aBook() {
    const { partner, client, event } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    const params = { partnerCode: partner.code, hasTwins: false, from: day(-1), to: day(1) }
    return { partner, ask: () => askFor(partner, 'workbook', params) }
  }
  const waiting = async (waitEvent: string) => {
    const found = await ownerRows(
      'SELECT pid FROM pg_stat_activity WHERE wait_event = ?',
      waitEvent
    )
    return found.map(({ pid }) => pid as number)
  }
  /** Whether that session is, or any where none is named. */
  const isWaiting = async (waitEvent: string, session?: number) => {
    const found = await waiting(waitEvent)
    return session === undefined ? found.length > 0 : found.includes(session)
  }
  /** Makes every transaction that writes to a table wait for our lock before it commits. */
  async function withGate(table: string, key: number, work: () => Promise<void>) {
    await ownerRows(`CREATE FUNCTION gate_of_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(${key}); RETURN NULL; END $$`)
    await ownerRows(
      `CREATE TRIGGER gate_of_test AFTER INSERT ON ${table} EXECUTE FUNCTION gate_of_test()`
    )
    try {
      await work()
    } finally {
      await ownerRows(`DROP TRIGGER gate_of_test ON ${table}`)
      await ownerRows('DROP FUNCTION gate_of_test')
    }
  }

  test('a run committed without an acknowledgement keeps its file', async ({ assert }) => {
    const { ask } = await aBook()
    const { runId } = await ask()
    await withGate('settlement_run_files', 424_242, async () => {
      const gate = await db.transaction()
      await gate.rawQuery('SELECT pg_advisory_xact_lock(424242)')
      const performed = performRun(runId)
      await until(() => isWaiting('advisory'))
      const [pid] = await waiting('advisory')
      // The commit is made, its answer waits for a standby that is not there, and the connection is lost.
      await ownerRows(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`)
      await ownerRows('SELECT pg_reload_conf()')
      await sleep(200)
      await gate.rollback()
      // Its alone: what the run says of its progress waits as well, and goes on afterwards.
      await until(() => isWaiting('SyncRep', pid))
      await ownerRows('SELECT pg_terminate_backend(?)', pid)
      await ownerRows('ALTER SYSTEM RESET synchronous_standby_names')
      await ownerRows('SELECT pg_reload_conf()')
      await performed
    })
    const { state, claim } = await runRow(runId)
    assert.equal(state, 'succeeded')
    const files = await filesOf(runId)
    const names = files.map(({ name }) => name)
    assert.deepEqual(await readdir(await runDirectory(runId, claim!)), names)
  })

  test('a request for a run that ends meanwhile starts a new one', async ({ assert }) => {
    const { partner } = await aBook()
    await withGate('settlement_runs', 434_343, async () => {
      const first = await db.transaction()
      const params = { partnerCode: partner.code, hasTwins: false, from: day(-2), to: day(1) }
      const asked = { kind: 'workbook', partnerCode: partner.code, params } as const
      const by = { language: 'ru', actor: TESTER } as const
      const { runId } = await new AskForRun().within({ ...asked, ...by }, first)
      const second = new AskForRun().handle({ ...asked, ...by })
      await until(() => isWaiting('transactionid'))
      const gate = await db.transaction()
      const closed = gate.rawQuery('SELECT pg_advisory_xact_lock(434343)').then(() => {})
      await sleep(50)
      await first.commit()
      await closed
      await until(() => isWaiting('advisory'))
      await new CancelRun().handle({ runId, actor: TESTER })
      await gate.rollback()
      const { runId: newRunId, isNew } = await second
      assert.isTrue(isNew)
      assert.notEqual(newRunId, runId)
    })
  })
})
