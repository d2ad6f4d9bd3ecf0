import ChangeEventStatus from '#catalog/actions/change_event_status'
import { passGate } from '#catalog/sale_gate'
import { anEvent, TESTER } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { setTimeout as sleep } from 'node:timers/promises'

async function pass(eventId: string, trx: TransactionClientContract) {
  const { rows } = await trx.rawQuery(passGate('?'), [eventId])
  return rows[0].status as string
}

/** Until so many transactions queue for an advisory lock. */
async function untilQueued(count: number) {
  for (;;) {
    const { n } = await one(
      `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
    )
    if (n === count) return
    await sleep(10)
  }
}

test.group('Sale gate (sale_gate.ts)', () => {
  test('a pause waits for the sale inside; a sale that came after the pause reads sales_paused', async ({
    assert,
  }) => {
    const { id: eventId } = await anEvent()
    const [saleA, saleB] = [await db.transaction(), await db.transaction()]

    assert.equal(await pass(eventId, saleA), 'sales_open')
    const pause = new ChangeEventStatus().handle({
      eventId,
      trigger: 'pause',
      reason: null,
      actor: TESTER,
    })
    await untilQueued(1)
    const statusOfB = pass(eventId, saleB)
    await untilQueued(2)

    await saleA.commit()
    assert.equal(await pause, 'sales_paused')
    assert.equal(await statusOfB, 'sales_paused')
    await saleB.commit()
  })
})
