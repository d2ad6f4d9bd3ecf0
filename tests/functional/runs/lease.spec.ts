import { Lease, RunStopped } from '#runs/perform_run/lease'
import { claimRun, renewLease } from '#runs/perform_run/perform_run_sql'
import { aSale } from '#tests/support/fixtures'
import { one, ownerRows } from '#tests/support/rows'
import { askFor } from '#tests/support/runs'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'

const leaseOf = (id: number) =>
  one(
    `SELECT attempts, progress, extract(epoch FROM lease_until - clock_timestamp())::float8 AS seconds
       FROM settlement_runs WHERE id = ?`,
    id
  )

test.group('The lease of a run', () => {
  test('another worker claims the run when the lease has run out, as in the example', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const range = { from: new Date().toISOString(), to: new Date().toISOString() }
    const { runId: id } = await askFor(partner, 'check_period', {
      partnerCode: partner.code,
      ...range,
    })
    const [a, b] = [randomUUID(), randomUUID()]

    await claimRun.first({ id, claim: a })
    const claimed = await leaseOf(id)
    assert.equal(claimed.attempts, 1)
    assert.closeTo(Number(claimed.seconds), 30, 5)

    const progress = { phase: 'checking', rowsDone: 120, rowsTotal: 900 }
    await renewLease.first({ id, claim: a, progress: JSON.stringify(progress) })
    const renewed = await leaseOf(id)
    assert.deepEqual(renewed.progress, progress)
    assert.isUndefined(await claimRun.first({ id, claim: b }))

    await ownerRows(`UPDATE settlement_runs SET lease_until = now() WHERE id = ?`, id)
    await claimRun.first({ id, claim: b })
    const taken = await leaseOf(id)
    assert.equal(taken.attempts, 2)
    assert.closeTo(Number(taken.seconds), 30, 5)

    using lease = new Lease({ id, claim: a })
    await once(lease.signal, 'abort')
    assert.instanceOf(lease.signal.reason, RunStopped)
    assert.equal((lease.signal.reason as RunStopped).why, 'lost')
  })
})
