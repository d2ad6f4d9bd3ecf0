import platform from '#config/platform'
import DropRegister from '#reconciliation/actions/drop_register'
import { findRegister } from '#reconciliation/store/find_register'
import { registerPath } from '#reconciliation/store/register_file'
import { checkLastDays } from '#defects/jobs/check_partners'
import CancelRun from '#runs/cancel_run'
import { askFor, filesOf, performRun, performRuns, runRow } from '#tests/support/runs'
import pruneRuns from '#runs/jobs/prune_runs'
import { selectDueRuns } from '#runs/jobs/start_runs'
import { performRun as performWith } from '#runs/perform_run/perform_run'
import { claimRun } from '#runs/perform_run/perform_run_sql'
import { bodyOf } from '#worker/run_kinds'
import { periodAround } from '#ledger/periods'
import RequestDocument from '#workbooks/document/request_document'
import { runDirectory } from '#runs/run_files'
import { newUpload } from '#runs/uploads'
import { localDay, localTime } from '#shared/days'
import { storageDirectory } from '#shared/storage'
import { transaction } from '#shared/transaction'
import { aGate } from '#tests/functional/races/support/gates'
import { cancelEvent } from '#tests/support/circumstances'
import { aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { ASKER, fileOf, upload, versionOf } from '#tests/support/registers'
import { one, ownerOne, ownerRows } from '#tests/support/rows'
import { admittedOffline } from '#tests/support/scripted_month'
import { moveInTime, setTerms } from '#tests/support/settlement'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const DAY_MS = 86_400_000
const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString()
/** The same for every request of a test. */
const RANGE = { from: day(-1), to: day(1) }
const bookOf = ({ code }: TestPartner) => ({ partnerCode: code, hasTwins: false, ...RANGE })
const monthOf = ({ code }: TestPartner, offset: number) => {
  const { from, to } = periodAround(new Date(day(offset)), 'month')
  return { partnerCode: code, from: from.toISOString(), to: to.toISOString() }
}
const stateOf = async (id: number) => {
  const { state } = await runRow(id)
  return state
}
const errorOf = async (id: number) => {
  const { error } = await runRow(id)
  return error!.code
}
const isDue = async (id: number) => {
  const due = await selectDueRuns({})
  return due.some((run) => run.id === id)
}
const exists = (path: string) =>
  readdir(path).then(
    () => true,
    () => false
  )

async function aBuyer() {
  const sale = await aSale()
  await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  return sale
}

async function aVoidTicket() {
  const sale = await aSale()
  const sold = await sell(sale.client, sale.event.id, ['seat-2-1'])
  const [{ ticket_id: ticketId, qr_token: token }] = sold.tickets
  await refund(sale.client, sold.order_id, [ticketId])
  return { ...sale, token }
}

async function aClosableMonth() {
  const sale = await aBuyer()
  await setTerms(sale.partner)
  await moveInTime(sale.partner, '-45 days')
  return { ...sale, params: monthOf(sale.partner, -45) }
}

/** Of an entry that is written later: its commit does not show in the data version once a younger entry is there. */
async function nextJournalId() {
  const { id } = await ownerOne(
    `SELECT nextval(pg_get_serial_sequence('journal', 'id'))::int AS id`
  )
  return id as number
}

async function writeEntry(
  id: number,
  { id: partnerId }: TestPartner,
  trx: TransactionClientContract
) {
  await trx.rawQuery(
    `INSERT INTO journal (id, name, actor_kind, actor, partner_id) OVERRIDING SYSTEM VALUE
     VALUES (?, 'partner_renamed', 'staff', 'x', ?)`,
    [id, partnerId]
  )
}

/** Locks the movements, so that a run stays within its work. */
async function whileMovementsAreLocked<Result>(work: () => Promise<Result>) {
  return db.connection('owner').transaction(async (trx) => {
    await trx.rawQuery('LOCK TABLE ledger_movements IN ACCESS EXCLUSIVE MODE')
    return work()
  })
}

test.group('Runs', (group) => {
  // Twenty at once are looked at: others' must not be before ours.
  group.setup(async () => {
    await ownerRows(
      `UPDATE settlement_runs SET state = 'cancelled', finished_at = now() WHERE state = 'queued'`
    )
  })

  test('a workbook is made, reported and kept with its hash', async ({ assert }) => {
    const { partner } = await aBuyer()
    const { runId, isNew } = await askFor(partner, 'workbook', bookOf(partner))
    assert.isTrue(isNew)
    await performRun(runId)

    const run = await runRow(runId)
    assert.equal(run.state, 'succeeded')
    assert.equal(run.result!.closingTenge, '24000')
    const keptFor = (run.kept_until!.getTime() - Date.now()) / DAY_MS
    assert.closeTo(keptFor, 30, 0.1)
    const [file] = await filesOf(runId)
    const bytes = await readFile(join(await runDirectory(runId, run.claim!), file.name))
    assert.equal(file.sha256, createHash('sha256').update(bytes).digest('hex'))
    assert.equal(file.bytes, bytes.length)
    const entry = await one(
      `SELECT change FROM journal WHERE name = 'run_asked' AND partner_id = ?`,
      partner.id
    )
    assert.containsSubset(entry.change, { run: runId, kind: 'workbook' })
  })

  test('the same request has one run until its data changes', async ({ assert }) => {
    const { partner, client, event } = await aBuyer()
    const ask = () => askFor(partner, 'workbook', bookOf(partner))
    const asked = await Promise.all(Array.from({ length: 6 }, ask))
    assert.lengthOf(new Set(asked.map(({ runId }) => runId)), 1)
    assert.lengthOf(
      asked.filter(({ isNew }) => isNew),
      1
    )
    const [{ runId }] = asked
    await performRun(runId)
    assert.deepEqual(await ask(), { runId, isNew: false })

    const { tickets } = await sell(client, event.id, ['seat-1-1'])
    const again = await ask()
    assert.isTrue(again.isNew)
    assert.notEqual(again.runId, runId)

    await performRun(again.runId)
    const gate = await aGate()
    await gate.scan(event.id, tickets[0].qr_token)
    const { isNew } = await ask()
    assert.isTrue(isNew)
  })

  test('a void ticket admitted offline outdates the documents of its partner only', async ({
    assert,
  }) => {
    const [ours, others] = [await aVoidTicket(), await aVoidTicket()]
    const ask = () => askFor(ours.partner, 'workbook', bookOf(ours.partner))
    const { runId } = await ask()
    await performRun(runId)

    await admittedOffline(others.event.id, others.token)
    const gate = await aGate()
    await gate.scan(others.event.id, others.token)
    assert.deepEqual(await ask(), { runId, isNew: false })
    await admittedOffline(ours.event.id, ours.token)
    const { isNew } = await ask()
    assert.isTrue(isNew)
  })

  test('a document that missed pending changes is not reused', async ({ assert }) => {
    const { partner, client, event } = await aBuyer()
    const ask = () => askFor(partner, 'workbook', bookOf(partner))
    const { runId } = await transaction(async (trx) => {
      const late = `INSERT INTO journal (name, actor_kind, actor, partner_id) VALUES ('partner_renamed', 'staff', 'x', ?)`
      await trx.rawQuery(late, [partner.id])
      await sell(client, event.id, ['seat-1-1'])
      const asked = await ask()
      await performRun(asked.runId)
      return asked
    })
    assert.equal(await stateOf(runId), 'succeeded')
    const again = await ask()
    assert.isTrue(again.isNew)
  }).timeout(20_000)

  test('nor is one whose pending change has the youngest transaction of all', async ({
    assert,
  }) => {
    const { partner, client, event } = await aBuyer()
    const ask = () => askFor(partner, 'workbook', bookOf(partner))
    const id = await nextJournalId()
    await sell(client, event.id, ['seat-1-1'])
    const { runId } = await transaction(async (trx) => {
      await writeEntry(id, partner, trx)
      const asked = await ask()
      await performRun(asked.runId)
      return asked
    })
    assert.equal(await stateOf(runId), 'succeeded')
    const again = await ask()
    assert.isTrue(again.isNew)
  }).timeout(20_000)

  test('nor is one whose requester had begun to write before the pending change', async ({
    assert,
  }) => {
    const { partner, client, event } = await aBuyer()
    const asked = { kind: 'workbook', partnerCode: partner.code, params: bookOf(partner) } as const
    const by = { language: 'ru', actor: TESTER } as const
    const id = await nextJournalId()
    await sell(client, event.id, ['seat-1-1'])
    const requester = await db.transaction()
    await requester.rawQuery('SELECT pg_current_xact_id()')
    const { runId } = await transaction(async (trx) => {
      await writeEntry(id, partner, trx)
      const run = await new RequestDocument().within({ ...asked, ...by }, requester)
      await requester.commit()
      await performRun(run.runId)
      return run
    })
    assert.equal(await stateOf(runId), 'succeeded')
    const again = await new RequestDocument().handle({ ...asked, ...by })
    assert.isTrue(again.isNew)
  }).timeout(20_000)

  test('a request for a run that is being cancelled starts a new one', async ({ assert }) => {
    const { partner } = await aBuyer()
    const ask = () => askFor(partner, 'workbook', bookOf(partner))
    const { runId } = await ask()
    await claimRun.first({ id: runId, claim: randomUUID() })
    await new CancelRun().handle({ runId, actor: TESTER })
    const again = await ask()
    assert.isTrue(again.isNew)
    assert.deepEqual(await ask(), { runId: again.runId, isNew: false })
    await ownerRows('UPDATE settlement_runs SET lease_until = now() WHERE id = ?', runId)
    for (const id of [runId, again.runId]) await performRun(id)
    assert.deepEqual([await stateOf(runId), await stateOf(again.runId)], ['cancelled', 'succeeded'])
  })

  test('a document is made again once time alone has brought up a defect', async ({ assert }) => {
    const { partner, event } = await aBuyer()
    await setTerms(partner, { refundEvidenceDays: 3 })
    await cancelEvent(event)
    await moveInTime(partner, '-3 days')
    await moveInTime(partner, '3 seconds')
    const params = { ...bookOf(partner), from: day(-5) }
    const ask = () => askFor(partner, 'workbook', params)
    const { runId } = await ask()
    await performRun(runId)
    assert.deepEqual(await ask(), { runId, isNew: false })
    await delay(3_000)
    await checkLastDays(partner.id)
    const again = await ask()
    assert.isTrue(again.isNew)
    await performRun(again.runId)
    assert.deepEqual(await ask(), { runId: again.runId, isNew: false })
    const counts = await Promise.all([runId, again.runId].map(runRow))
    assert.deepEqual(
      counts.map(({ result }) => (result!.rows as { defects: number }).defects),
      [0, 1]
    )
  }).timeout(20_000)

  test('two checks of a partner run one after the other', async ({ assert }) => {
    const { partner } = await aBuyer()
    const check = (from: string) =>
      askFor(partner, 'check_period', { partnerCode: partner.code, ...RANGE, from })
    const asked = [await check(day(-1)), await check(day(-2))]
    const running = await whileMovementsAreLocked(async () => {
      const work = asked.map(({ runId }) => performRun(runId))
      await delay(1_500)
      return { work }
    })
    await Promise.all(running.work)
    for (const { runId } of asked) assert.equal(await stateOf(runId), 'succeeded')
  }).timeout(20_000)

  test('a run cancelled in the queue is never started', async ({ assert }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    await new CancelRun().handle({ runId, actor: TESTER })
    await performRun(runId)
    const { state, attempts } = await runRow(runId)
    assert.deepEqual({ state, attempts }, { state: 'cancelled', attempts: 0 })
    await assert.rejects(() => new CancelRun().handle({ runId, actor: TESTER }), /decided|lapsed/)
  })

  test('a run cancelled during a query stops there and leaves nothing', async ({ assert }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    await whileMovementsAreLocked(async () => {
      const work = performRun(runId)
      while ((await stateOf(runId)) !== 'running') await delay(10)
      await new CancelRun().handle({ runId, actor: TESTER })
      await work
    })
    const { state, claim } = await runRow(runId)
    assert.equal(state, 'cancelled')
    assert.isFalse(await exists(await runDirectory(runId, claim!)))
    assert.deepEqual(await filesOf(runId), [])
  }).timeout(20_000)

  /** Performs a run that somebody cancels once its work is done and before its result is stored. */
  const performCancelled = (runId: number) =>
    performWith(runId, async (kind) => {
      const body = await bodyOf(kind)
      return async (params, context) => {
        const outcome = await body!(params, context)
        await new CancelRun().handle({ runId, actor: TESTER })
        return outcome
      }
    })

  test('a document cancelled at the last moment is discarded', async ({ assert }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    await performCancelled(runId)
    const { state, result, claim } = await runRow(runId)
    assert.deepEqual({ state, result }, { state: 'cancelled', result: null })
    assert.isFalse(await exists(await runDirectory(runId, claim!)))
    assert.deepEqual(await filesOf(runId), [])
  })

  for (const kind of ['close_period', 'check_period'] as const)
    test(`a ${kind} cancelled after its work was committed succeeds`, async ({ assert }) => {
      const { partner, params } = await aClosableMonth()
      const { runId } = await askFor(partner, kind, params)
      await performCancelled(runId)
      const { state, result } = await runRow(runId)
      assert.equal(state, 'succeeded')
      assert.isNotNull(result)
    })

  for (const kind of ['workbook', 'check_period', 'defect_list', 'close_period'] as const)
    test(`a worker that stops during a query hands a ${kind} back at once without counting the attempt`, async ({
      assert,
    }) => {
      const { partner, params } = await aClosableMonth()
      const { runId } = await askFor(partner, kind, { ...params, hasTwins: false })
      const stopping = new AbortController()
      await whileMovementsAreLocked(async () => {
        const work = performRun(runId, stopping.signal)
        while ((await stateOf(runId)) !== 'running') await delay(10)
        await delay(200)
        stopping.abort()
        await work
      })
      const { state, attempts } = await runRow(runId)
      assert.deepEqual({ state, attempts }, { state: 'queued', attempts: 0 })
      await performRun(runId)
      assert.equal(await stateOf(runId), 'succeeded')
    }).timeout(20_000)

  test('a run of a lost worker is started again, three times at most', async ({ assert }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    for (let death = 1; death <= 3; death++) {
      assert.isTrue(await isDue(runId))
      assert.isDefined(await claimRun.first({ id: runId, claim: randomUUID() }))
      assert.isFalse(await isDue(runId))
      assert.isUndefined(await claimRun.first({ id: runId, claim: randomUUID() }))
      await ownerRows(`UPDATE settlement_runs SET lease_until = now() WHERE id = ?`, runId)
    }
    await performRun(runId)
    const { state, error } = await runRow(runId)
    assert.deepEqual({ state, error }, { state: 'failed', error: { code: 'CRASHED' } })
  })

  test('a worker presumed dead cannot finish a run that another has claimed', async ({
    assert,
  }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    const { slow } = await whileMovementsAreLocked(async () => {
      const work = performRun(runId)
      while ((await stateOf(runId)) !== 'running') await delay(10)
      await ownerRows(
        `UPDATE settlement_runs SET claim = gen_random_uuid(), lease_until = now() + interval '1 hour' WHERE id = ?`,
        runId
      )
      return { slow: work }
    })
    await slow
    const { state } = await runRow(runId)
    assert.equal(state, 'running')
    assert.deepEqual(await filesOf(runId), [])
  }).timeout(20_000)

  test('a refused run ends with its error code and is not retried', async ({ assert }) => {
    const { partner } = await aBuyer()
    await setTerms(partner)
    const { runId } = await askFor(partner, 'close_period', monthOf(partner, 0))
    await performRun(runId)
    const { state, error } = await runRow(runId)
    assert.equal(state, 'failed')
    assert.equal(error!.code, 'PERIOD_NOT_OVER')
    assert.isFalse(await isDue(runId))
  })

  test('a run of another product version is refused', async ({ assert }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    await ownerRows(`UPDATE settlement_runs SET kind = 'constructor' WHERE id = ?`, runId)
    await performRun(runId)
    assert.equal(await errorOf(runId), 'NO_SUCH')
  })

  test('a failed run is tried three times, each later than the one before', async ({ assert }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    await ownerRows(
      `UPDATE settlement_runs SET params = params || '{"from": "never"}' WHERE id = ?`,
      runId
    )
    for (let attempt = 1; attempt <= 3; attempt++) {
      await performRun(runId)
      await performRun(runId)
      const run = await runRow(runId)
      assert.equal(run.attempts, attempt)
      await ownerRows('UPDATE settlement_runs SET not_before = now() WHERE id = ?', runId)
    }
    const { state, error } = await runRow(runId)
    assert.deepEqual({ state, error }, { state: 'failed', error: { code: 'INTERNAL_ERROR' } })
  })

  test('closing a month makes its workbook, which is kept for ever', async ({ assert }) => {
    const { partner, params } = await aClosableMonth()
    const { runId } = await askFor(partner, 'close_period', params)
    await performRun(runId)
    const closed = await runRow(runId)
    assert.equal(closed.state, 'succeeded', JSON.stringify(closed.error))
    await performRuns(partner)
    const book = await runRow(Number(closed.result!.workbookRun))
    assert.equal(book.state, 'succeeded')
    assert.isNull(book.kept_until)
    const files = await filesOf(Number(closed.result!.workbookRun))
    const names = files.map(({ name }) => name)
    assert.match(names[0], /^SETTLE_.+_\d{4}-\d\d_\d{6}_v\d_ru_\d{4}-\d\d-\d\d_\d{6}\.xlsx$/)
    assert.lengthOf(names, 7)
  })

  test('the name of a list of defects has the moment that the run says its data was read at', async ({
    assert,
  }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'defect_list', { partnerCode: partner.code, ...RANGE })
    await performRun(runId)
    const { result } = await runRow(runId)
    const readAt = new Date(result!.readAt as string)
    const moment = `${localDay(readAt)}_${localTime(readAt).replaceAll(':', '')}`
    const [{ name }] = await filesOf(runId)
    assert.match(name, new RegExp(`^DEFECTS_.*_ru_${moment}\\.xlsx$`))
  })

  test('a retried closing does not close the next month', async ({ assert }) => {
    const { partner, params } = await aClosableMonth()
    const { runId } = await askFor(partner, 'close_period', params)
    await performRun(runId)
    const first = await runRow(runId)
    const again = await askFor(partner, 'close_period', params)
    assert.isTrue(again.isNew)
    await performRun(again.runId)
    const second = await runRow(again.runId)
    assert.equal(second.result!.statementId, first.result!.statementId)
    const { n } = await one(
      'SELECT count(*)::int AS n FROM settlement_statements WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 1)
  })

  test('only the next period can be closed', async ({ assert }) => {
    const { partner, params } = await aClosableMonth()
    const { runId } = await askFor(partner, 'close_period', { ...params, to: day(0) })
    await performRun(runId)
    assert.equal(await errorOf(runId), 'STALE')
  })

  test('files are deleted after their retention, and so are remains of dead attempts', async ({
    assert,
  }) => {
    const { partner } = await aBuyer()
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    await performRun(runId)
    const { claim } = await runRow(runId)
    const kept = await runDirectory(runId, claim!)
    const dead = join(await storageDirectory('runs'), `${runId}-${randomUUID()}`)
    const young = join(await storageDirectory('runs'), `${runId}-${randomUUID()}`)
    for (const directory of [dead, young]) {
      await mkdir(directory)
      await writeFile(join(directory, 'half.xlsx'), 'half')
    }
    const longAgo = new Date(Date.now() - DAY_MS)
    for (const directory of [dead, kept]) await utimes(directory, longAgo, longAgo)
    await pruneRuns()
    assert.deepEqual(
      [await exists(kept), await exists(dead), await exists(young)],
      [true, false, true]
    )

    const check = await askFor(partner, 'check_period', monthOf(partner, 0))
    await performRun(check.runId)
    await ownerRows(
      'UPDATE settlement_runs SET kept_until = now() WHERE partner_id = ?',
      partner.id
    )
    await pruneRuns()
    assert.isFalse(await exists(kept))
    assert.equal(await stateOf(runId), 'expired')
    // What never had files keeps its result.
    assert.equal(await stateOf(check.runId), 'succeeded')
    const again = await askFor(partner, 'workbook', bookOf(partner))
    assert.isTrue(again.isNew)
  })

  test('files stay until a restore is finished, which may know nothing of them', async ({
    assert,
    cleanup,
  }) => {
    const unknown = join(await storageDirectory('runs'), `1-${randomUUID()}`)
    await mkdir(unknown)
    const longAgo = new Date(Date.now() - DAY_MS)
    await utimes(unknown, longAgo, longAgo)
    await ownerRows(
      `UPDATE selling_mark SET closed_at = now(), closed_because = 'dump', restored_entry = 1`
    )
    cleanup(async () => {
      await ownerRows(
        `UPDATE selling_mark SET closed_at = NULL, closed_because = NULL, restored_entry = NULL,
                made_in = pg_current_xact_id()`
      )
    })
    await pruneRuns()
    assert.isTrue(await exists(unknown))
  })

  test('an upload stays as long as a run may still read it', async ({ assert }) => {
    const { partner } = await aBuyer()
    const [used, unused] = [await newUpload(), await newUpload()]
    const longAgo = new Date(Date.now() - 31 * DAY_MS)
    for (const { path } of [used, unused]) {
      await writeFile(path, 'no workbook')
      await utimes(path, longAgo, longAgo)
    }
    const params = { upload: used.upload, fileName: 'answers.xlsx', partnerCode: partner.code }
    const dryRun = await askFor(partner, 'answers', { ...params, isDryRun: true })
    const uploads = async () => {
      await pruneRuns()
      const names = await readdir(dirname(used.path))
      return [used, unused].filter(({ upload: name }) => names.includes(name))
    }
    // In the queue, then finished and ready to be applied.
    assert.deepEqual(await uploads(), [used])
    await performRun(dryRun.runId)
    assert.equal(await stateOf(dryRun.runId), 'succeeded')
    assert.deepEqual(await uploads(), [used])

    await ownerRows('UPDATE settlement_runs SET kept_until = now() WHERE id = ?', dryRun.runId)
    const applied = await askFor(partner, 'answers', { ...params, isDryRun: false })
    assert.deepEqual(await uploads(), [used])
    assert.equal(await stateOf(dryRun.runId), 'expired')
    await performRun(applied.runId)
    assert.deepEqual(await uploads(), [])
  })

  test('files and uploads are kept for the days of RUN_RETENTION_DAYS', async ({
    assert,
    cleanup,
  }) => {
    const { runRetentionDays } = platform
    cleanup(() => {
      platform.runRetentionDays = runRetentionDays
    })
    const { partner } = await aBuyer()
    const { path } = await newUpload()
    await writeFile(path, 'answers')
    const twoDaysAgo = new Date(Date.now() - 2 * DAY_MS)
    await utimes(path, twoDaysAgo, twoDaysAgo)
    const isUploadKept = async () => {
      await pruneRuns()
      const names = await readdir(dirname(path))
      return names.includes(basename(path))
    }

    platform.runRetentionDays = 3
    const { runId } = await askFor(partner, 'workbook', bookOf(partner))
    await performRun(runId)
    const { kept_until: keptUntil } = await runRow(runId)
    assert.closeTo((keptUntil!.getTime() - Date.now()) / DAY_MS, 3, 0.1)
    assert.isTrue(await isUploadKept())
    platform.runRetentionDays = 1
    assert.isFalse(await isUploadKept())
  })

  test('an aborted upload of a register is deleted, a running one is not', async ({ assert }) => {
    const root = await storageDirectory('registers')
    const [left, young] = [`incoming-${randomUUID()}`, `incoming-${randomUUID()}`]
    for (const name of [left, young]) await writeFile(join(root, name), 'half')
    const longAgo = new Date(Date.now() - DAY_MS)
    await utimes(join(root, left), longAgo, longAgo)
    await pruneRuns()
    const names = await readdir(root)
    assert.notInclude(names, left)
    assert.include(names, young)
    await rm(join(root, young))
  })

  test('the file of a dropped register is deleted, others are kept', async ({ assert }) => {
    const { partner } = await aBuyer()
    const paths: string[] = []
    for (const payment of ['p-1', 'p-2']) {
      const { registerId } = await upload(partner, fileOf(`o-1;${payment};;5000;Оплата`))
      paths.push(await registerPath(await findRegister(registerId)))
      if (payment === 'p-2') continue
      const version = await versionOf(registerId)
      await new DropRegister().handle({ registerId, version, reason: 'не тот', ...ASKER })
      await writeFile(paths[0], 'as if it had died before')
    }
    const longAgo = new Date(Date.now() - DAY_MS)
    for (const path of paths) await utimes(path, longAgo, longAgo)
    await pruneRuns()
    const there = await readdir(dirname(paths[0]))
    assert.deepEqual(
      paths.map((path) => there.includes(basename(path))),
      [false, true]
    )
  })
})
