import { EVENT_TRANSITIONS } from '#catalog/event_status'
import { CASE_TRANSITIONS } from '#case_work/case_state'
import { STATEMENT_TRANSITIONS } from '#ledger/statement_status'
import { REGISTER_TRANSITIONS } from '#reconciliation/store/register_state'
import { BOOKING_TRANSITIONS } from '#sales/booking_status'
import { ORDER_TRANSITIONS } from '#sales/order_status'
import { aSale, sell } from '#tests/support/fixtures'
import { fileOf, lineOf, matchedRegister, soldOrderOf } from '#tests/support/registers'
import { one, ownerRows } from '#tests/support/rows'
import { TICKET_TRANSITIONS } from '#tickets/ticket_status'
import { test } from '@japa/runner'

type Steps = [from: string, to: string][]

/** `active → used`, whatever the trigger; a state that stays as it is takes no step. */
const stepsOf = (table: Record<string, object>): Steps =>
  Object.entries(table).flatMap(([from, next]) =>
    [...new Set<string>(Object.values(next))]
      .filter((to) => to !== from)
      .map((to): [string, string] => [from, to])
  )

/** Steps of the version before, whose processes may still run: the payment status was stored as a status. */
const FORMER_STEPS: Steps = [
  ['closed', 'part_paid'],
  ['closed', 'paid'],
  ['part_paid', 'paid'],
]

const TABLES: Record<string, Steps> = {
  bookings: stepsOf(BOOKING_TRANSITIONS),
  orders: stepsOf(ORDER_TRANSITIONS),
  tickets: stepsOf(TICKET_TRANSITIONS),
  events: stepsOf(EVENT_TRANSITIONS),
  settlement_statements: [...stepsOf(STATEMENT_TRANSITIONS), ...FORMER_STEPS],
  settlement_cases: stepsOf(CASE_TRANSITIONS),
  partner_registers: stepsOf(REGISTER_TRANSITIONS),
}

test.group('State tables', () => {
  for (const [table, steps] of Object.entries(TABLES)) {
    test(`${table}: the database allows the steps of the code and no other`, async ({ assert }) => {
      const { definition } = await one(
        `SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgname = ?`,
        `${table}_keep_to_states`
      )
      // PostgreSQL writes the rows out: `old.status <> 'active' OR new.status <> 'used'`, pair by pair.
      const states = [...String(definition).matchAll(/'([a-z_]+)'::text/g)].map(([, name]) => name)
      const enforced = states.flatMap((from, at) =>
        at % 2 === 0 ? [`${from} → ${states[at + 1]}`] : []
      )
      assert.sameMembers(
        enforced,
        steps.map(([from, to]) => `${from} → ${to}`)
      )
    })
  }

  test('a step that no table has is refused by the database', async ({ assert }) => {
    const { client, event } = await aSale()
    const { order_id: orderId } = await sell(client, event.id, ['seat-1-1'])
    await assert.rejects(
      () =>
        ownerRows(
          `UPDATE orders SET stored_status = 'pending', confirmed_at = NULL WHERE id = ?`,
          orderId
        ),
      /cannot take this step of its stored_status/
    )
  })

  test('a register that was dropped stays so, whatever is written', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-1-1'])
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId)))
    const move = (state: string) =>
      ownerRows('UPDATE partner_registers SET state = ? WHERE id = ?', state, registerId)
    await move('dropped')
    await assert.rejects(() => move('matched'), /cannot take this step of its state/)
    await assert.rejects(() => move('uploaded'), /cannot take this step of its state/)
  })
})
