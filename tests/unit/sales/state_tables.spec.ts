import { EVENT_STATUSES, EVENT_TRANSITIONS } from '#catalog/event_status'
import { BOOKING_TRANSITIONS } from '#sales/booking_status'
import { ORDER_TRANSITIONS, isConfirmed, type OrderStatus } from '#sales/order_status'
import { TICKET_TRANSITIONS } from '#tickets/ticket_status'
import { test } from '@japa/runner'

type Table = Record<string, Record<string, string>>

/** The contract's tables once more, by hand: state, trigger, next state. Every other pair leads nowhere. */
// prettier-ignore
const EXPECTED: Record<string, { table: Table; triggers: string[]; steps: [string, string, string][] }> = {
  booking: {
    table: BOOKING_TRANSITIONS as Table,
    triggers: ['order', 'expire'],
    steps: [
      ['active', 'order', 'converted'],
      ['active', 'expire', 'expired'],
    ],
  },
  order: {
    table: ORDER_TRANSITIONS as Table,
    triggers: ['confirm', 'cancel', 'expire', 'refundSome', 'refundAll'],
    steps: [
      ['pending', 'confirm', 'paid'],
      ['pending', 'cancel', 'cancelled'],
      ['pending', 'expire', 'expired'],
      ['paid', 'refundSome', 'partially_refunded'],
      ['paid', 'refundAll', 'refunded'],
      ['partially_refunded', 'refundSome', 'partially_refunded'],
      ['partially_refunded', 'refundAll', 'refunded'],
    ],
  },
  ticket: {
    table: TICKET_TRANSITIONS as Table,
    triggers: ['admit', 'admitOffline', 'void', 'voidUsed', 'outlive'],
    steps: [
      ['active', 'admit', 'used'],
      ['active', 'admitOffline', 'used'],
      ['expired', 'admitOffline', 'used'],
      ['active', 'void', 'void'],
      ['used', 'voidUsed', 'void'],
      ['active', 'outlive', 'expired'],
    ],
  },
  event: {
    table: EVENT_TRANSITIONS as Table,
    triggers: ['open', 'pause', 'close', 'cancel'],
    steps: [
      ['sales_scheduled', 'open', 'sales_open'],
      ['sales_scheduled', 'close', 'sales_closed'],
      ['sales_scheduled', 'cancel', 'cancelled'],
      ['sales_open', 'pause', 'sales_paused'],
      ['sales_open', 'close', 'sales_closed'],
      ['sales_open', 'cancel', 'cancelled'],
      ['sales_paused', 'open', 'sales_open'],
      ['sales_paused', 'close', 'sales_closed'],
      ['sales_paused', 'cancel', 'cancelled'],
      ['sales_closed', 'open', 'sales_open'],
      ['sales_closed', 'cancel', 'cancelled'],
    ],
  },
}

const STATES: Record<string, string[]> = {
  booking: ['active', 'expired', 'converted'],
  order: ['pending', 'paid', 'cancelled', 'expired', 'refunded', 'partially_refunded'],
  ticket: ['active', 'used', 'void', 'expired'],
  event: ['sales_scheduled', 'sales_open', 'sales_paused', 'sales_closed', 'cancelled'],
}

for (const [name, { table, triggers, steps }] of Object.entries(EXPECTED)) {
  test.group(`States of the ${name}`, () => {
    test('are exactly those of the contract', ({ assert }) => {
      assert.sameMembers(Object.keys(table), STATES[name])
    })

    for (const state of STATES[name]) {
      for (const trigger of triggers) {
        const to = steps.find(([from, by]) => from === state && by === trigger)?.[2]
        test(`${state} × ${trigger} → ${to ?? 'nothing'}`, ({ assert }) => {
          assert.equal(table[state][trigger], to)
        })
      }
    }

    test('have no other trigger', ({ assert }) => {
      const others = Object.values(table).flatMap((row) =>
        Object.keys(row).filter((trigger) => !triggers.includes(trigger))
      )
      assert.deepEqual(others, [])
    })
  })
}

test.group('Status groups', () => {
  test('the list of an event’s statuses has the states of its table', ({ assert }) => {
    assert.sameMembers([...EVENT_STATUSES], STATES.event)
  })

  test('an order counts as confirmed once it was paid, whatever was refunded since', ({
    assert,
  }) => {
    const confirmed = STATES.order.filter((status) => isConfirmed(status as OrderStatus))
    assert.deepEqual(confirmed, ['paid', 'refunded', 'partially_refunded'])
  })
})
