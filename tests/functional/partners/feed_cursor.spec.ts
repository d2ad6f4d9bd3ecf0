import { EPOCH } from '#partners/feed/epoch'
import { isNewSince, readCursor, writeCursor, writeFirstCursor } from '#partners/feed/feed_cursor'
import { readFeed } from '#partners/feed/read_feed'
import { aSale } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { test } from '@japa/runner'

/** Whether a change of this transaction is new to a cursor with the snapshot 10:13:11. */
async function isNew(transaction: number) {
  const row = await one(
    `SELECT ${isNewSince(`'10:13:11'::pg_snapshot`, `'${transaction}'::xid8`)} AS is_new`
  )
  return row.is_new as boolean
}

test.group('Cursor of the change feed (feed_cursor.ts)', () => {
  test('a change is new when its transaction was not visible in the snapshot', async ({
    assert,
  }) => {
    assert.isFalse(await isNew(9))
    assert.isTrue(await isNew(11))
    assert.isFalse(await isNew(12))
    assert.isTrue(await isNew(13))
  })

  test('a cursor of another epoch is answered with every event', async ({ assert }) => {
    const { partner, event } = await aSale()
    const first = await readFeed(partner.id, readCursor(partner.id, writeFirstCursor(partner.id))!)
    assert.deepEqual(
      first.events.map(({ id }) => id),
      [event.id]
    )
    const cursor = writeCursor(partner.id, first.position)
    const next = await readFeed(partner.id, readCursor(partner.id, cursor)!)
    assert.deepEqual(next.events, [])
  })

  test('an epoch has four parts: cluster, timeline, database, restore mark', async ({ assert }) => {
    const { epoch } = await one(`SELECT ${EPOCH} AS epoch`)
    assert.match(epoch, /^\d+\.[0-9A-F]{8}\.\d+\.\d+$/)
  })
})
