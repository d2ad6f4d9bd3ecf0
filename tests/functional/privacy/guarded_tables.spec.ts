import { bought, byOrder, erase } from '#tests/support/buyers'
import { ownerOne, ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'

/** An entry about an order; `reason` is typed by a person, `ticket` is not. */
async function anEntry(
  orderId: string | null,
  change: object = { reason: 'Аида звонила', ticket: 'Аида' }
) {
  const { id } = await ownerOne(
    `INSERT INTO journal (name, actor_kind, actor, order_id, change) VALUES ('tickets_voided', 'staff', 'a@b.kz', ?, ?::jsonb)
     RETURNING id::text`,
    orderId,
    JSON.stringify(change)
  )
  return id as string
}
const set = (id: string, assignment: string) =>
  ownerRows(`UPDATE journal SET ${assignment} WHERE id = ${id}`)
const change = (value: object) => `change = '${JSON.stringify(value)}'`
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code
  )

const REFUSED = '23001'
const REFUSED_BY_CHECK = '23514'

test.group('What erasing may change in tables that are only added to', () => {
  test('words of the reason go from an entry about an erased buyer', async ({ assert }) => {
    const { orderId } = await bought()
    const id = await anEntry(orderId)
    await erase(byOrder(orderId))
    const erased = { reason: '[erased] звонила', ticket: 'Аида' }
    assert.equal(await codeOf(set(id, change(erased))), 'done')
  })

  test('nothing else of that entry can be changed', async ({ assert }) => {
    const { orderId } = await bought()
    const id = await anEntry(orderId)
    await erase(byOrder(orderId))
    for (const assignment of [
      `actor = 'c@d.kz'`,
      `at = now()`,
      `name = 'tickets_refunded'`,
      `order_id = NULL`,
      `request_id = gen_random_uuid()`,
      `partner_id = 1`,
      `change_xid = '1'`,
      change({ reason: 'Аида не звонила', ticket: 'Аида' }),
      change({ reason: '[erased] не звонила', ticket: 'Аида' }),
      change({ reason: 'Аида звонила', ticket: '[erased]' }),
      change({ reason: 'Аида звонила', ticket: 'Аида', note: '[erased]' }),
      change({ ticket: 'Аида' }),
      change({ reason: ['[erased]'], ticket: 'Аида' }),
      `${change({ reason: '[erased]', ticket: 'Аида' })}, actor = 'c@d.kz'`,
    ])
      assert.equal(await codeOf(set(id, assignment)), REFUSED, assignment)
    assert.equal(await codeOf(ownerRows(`DELETE FROM journal WHERE id = ${id}`)), REFUSED)
  })

  test('an entry about a buyer who was not erased cannot be changed at all', async ({ assert }) => {
    const { orderId } = await bought()
    const ids = [await anEntry(orderId), await anEntry(null)]
    const erased = { reason: '[erased] звонила', ticket: 'Аида' }
    for (const id of ids) assert.equal(await codeOf(set(id, change(erased))), REFUSED)
  })

  test('a percent sign or a backslash in the new words stands for itself', async ({ assert }) => {
    const { orderId } = await bought()
    const id = await anEntry(orderId, { reason: 'ab' })
    await erase(byOrder(orderId))
    for (const reason of ['%', '_b', 'a\\\\b%'])
      assert.equal(await codeOf(set(id, change({ reason }))), REFUSED, reason)
  })

  test('an erased row takes no other customer than its pseudonym', async ({ assert }) => {
    const { orderId, bookingId, buyer } = await bought()
    const other = await bought()
    await erase(byOrder(orderId))
    const customer = JSON.stringify(buyer)
    for (const [table, id] of [
      ['orders', orderId],
      ['bookings', bookingId],
    ])
      assert.equal(
        await codeOf(
          ownerRows(`UPDATE ${table} SET customer = ?::jsonb WHERE id = ?`, customer, id)
        ),
        REFUSED_BY_CHECK
      )
    const mark = ownerRows('UPDATE orders SET buyer_erased_at = now() WHERE id = ?', other.orderId)
    assert.equal(await codeOf(mark), REFUSED_BY_CHECK)
  })

  test('attempts are still never deleted', async ({ assert }) => {
    const { orderId } = await bought()
    await erase(byOrder(orderId))
    const deletion = ownerRows('DELETE FROM confirm_attempts WHERE order_id_sent = ?', orderId)
    assert.equal(await codeOf(deletion), REFUSED)
  })
})
