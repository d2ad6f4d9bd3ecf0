import { migrate, undoMigrationsFrom } from '#tests/support/migrations'
import { createDatabase, dropDatabase, inDatabase } from '#tests/support/other_database'
import { one, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const DATABASE = 'exposure_of_former_cases'

async function backTo25() {
  await undoMigrationsFrom(26)
}

/** A case as the former version stored it. */
const aCase = (key: string, tenge: number, party: string, state = 'open') =>
  rows(
    `INSERT INTO settlement_cases (partner_id, key, order_ids, payment_ids, severity, exposure_tenge, exposure_party, fault, chain,
            rule_set_version, occurred_at, checked_at, state, resolution, settled_tenge, settled_party, settled_payment_ids)
     SELECT p.id, made.key, ARRAY[made.key], '{}', 'HIGH', made.tenge, made.party, 'PARTNER', '{}', 1, now(), now(), made.state,
            CASE WHEN made.state = 'resolved' THEN 'Да' END, CASE WHEN made.state = 'resolved' THEN made.tenge END,
            CASE WHEN made.state = 'resolved' THEN made.party END, CASE WHEN made.state = 'resolved' THEN '{}'::text[] END
       FROM partners p, (SELECT ?::text AS key, ?::int AS tenge, ?::text AS party, ?::text AS state) made`,
    key,
    tenge,
    party,
    state
  )

test.group('Cases of the former version', (group) => {
  group.each.setup(() => createDatabase(DATABASE))
  group.each.teardown(() => dropDatabase(DATABASE))

  test('keep their money as that of its party, and get it back on the way back', async ({
    assert,
  }) => {
    await inDatabase(DATABASE, async () => {
      await backTo25()
      await rows(`INSERT INTO partners (code, name) VALUES ('p', 'P')`)
      await aCase('a', 12_000, 'BUYER')
      await aCase('b', 9_000, 'PLATFORM', 'resolved')
      await aCase('c', 0, 'NONE')
      await migrate()
      const vectors = await rows(
        `SELECT key, concat_ws(' ', buyer_tenge, platform_tenge, partner_tenge) AS now,
                concat_ws(' ', settled_buyer_tenge, settled_platform_tenge, settled_partner_tenge) AS settled
           FROM settlement_cases ORDER BY key`
      )
      assert.deepEqual(vectors, [
        { key: 'a', now: '12000 0 0', settled: '' },
        { key: 'b', now: '0 9000 0', settled: '0 9000 0' },
        { key: 'c', now: '0 0 0', settled: '' },
      ])
      await aCase('d', 7_000, 'BUYER')
      const { buyer } = await one(
        `SELECT buyer_tenge::int AS buyer FROM settlement_cases WHERE key = 'd'`
      )
      assert.equal(buyer, 7_000)
      await rows(`UPDATE settlement_cases SET platform_tenge = 5000 WHERE key = 'a'`)
      await rows(
        `UPDATE settlement_cases SET state = 'resolved', resolution = 'Да' WHERE key = 'a'`
      )

      await backTo25()
      const former = await rows(
        `SELECT key, exposure_tenge::int AS tenge, exposure_party AS party, settled_tenge::int AS settled
           FROM settlement_cases WHERE key < 'c' ORDER BY key`
      )
      assert.deepEqual(former, [
        { key: 'a', tenge: 12_000, party: 'BUYER', settled: 12_000 },
        { key: 'b', tenge: 9_000, party: 'PLATFORM', settled: 9_000 },
      ])
      await migrate()
    })
  })
})
