import db from '@adonisjs/lucid/services/db'
import { sleep } from '#tests/functional/races/support/crowd'
import { aSale, sell } from '#tests/support/fixtures'
import { one, ownerRows } from '#tests/support/rows'
import { runJob, UnknownJob } from '#worker/jobs'
import { test } from '@japa/runner'

const runOf = (job: string) => one('SELECT * FROM job_runs WHERE job = ?', job)

test.group('Job runs', () => {
  test('a successful run is recorded', async ({ assert }) => {
    await runJob('expire_tickets', {})
    const { succeeded_at: at, failures_in_row: failures } = await runOf('expire_tickets')
    assert.isBelow(Date.now() - at.getTime(), 5000)
    assert.equal(failures, 0)
  })

  test('failures are counted until a success, and the last failure is kept', async ({ assert }) => {
    await ownerRows('ALTER TABLE webhook_relay RENAME TO webhook_relay_away')
    try {
      for (let times = 0; times < 2; times++)
        await assert.rejects(() => runJob('relay_news', {}), /webhook_relay/)
    } finally {
      await ownerRows('ALTER TABLE webhook_relay_away RENAME TO webhook_relay')
    }
    const failed = await runOf('relay_news')
    assert.equal(failed.failures_in_row, 2)
    assert.match(failed.failure, /webhook_relay/)

    await runJob('relay_news', {})
    const well = await runOf('relay_news')
    assert.equal(well.failures_in_row, 0)
    assert.match(well.failure, /webhook_relay/)
  })

  test('a long job ends on a stop signal without counting as failed', async ({ assert }) => {
    await aSale()
    await runJob('find_defects', {})
    const before = await runOf('find_defects')
    for (const name of ['find_defects', 'judge_conduct', 'check_ledger', 'expire_overdue']) {
      const stopping = new AbortController()
      stopping.abort()
      assert.deepEqual(await runJob(name, {}, stopping.signal), [])
    }
    const after = await runOf('find_defects')
    assert.deepEqual(after, before)
  })

  test('a job waiting for a lock ends on a stop signal', async ({ assert }) => {
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    await db.connection('owner').transaction(async (trx) => {
      await trx.rawQuery('LOCK TABLE tickets IN ACCESS EXCLUSIVE MODE')
      for (const name of ['find_defects', 'check_ledger']) {
        const stopping = new AbortController()
        const ended = runJob(name, {}, stopping.signal)
        await sleep(300)
        const began = performance.now()
        stopping.abort()
        await ended
        assert.isBelow(performance.now() - began, 1_500)
      }
    })
  })

  test('an unknown job of another version is refused by its name', async ({ assert }) => {
    for (const name of ['send_all_mail', 'constructor', '__proto__'])
      await assert.rejects(() => runJob(name, {}), UnknownJob)
  })
})
