import { REMARKABLE } from '#reconciliation/evidence/read_cases'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import { test } from '@japa/runner'

/** As the database would go about it if reading a whole table were dear: with a million matches it is. */
const planOfRemarkable = () =>
  transaction(async (trx) => {
    await trx.rawQuery('SET LOCAL enable_seqscan = off')
    const lines = await Array.fromAsync(streamRows(`EXPLAIN ${REMARKABLE}`, { partnerId: 1 }, trx))
    return JSON.stringify(lines)
  })

test.group('Evidence of registers', () => {
  test('is found by the index of matches that differ', async ({ assert }) => {
    assert.include(await planOfRemarkable(), 'partner_register_cases_remarkable')
  })
})
