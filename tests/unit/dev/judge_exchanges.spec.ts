import { test } from '@japa/runner'
import type { Exchange } from '../../../dev/drills/load/buyers.ts'
import { judgeExchanges, type StoredTicket } from '../../../dev/drills/load/judge_exchanges.ts'

const exchange = (given: Partial<Exchange>): Exchange => ({
  at: new Date(0),
  ms: 1,
  partner: 'bulk',
  step: 'confirm',
  key: 'ord_1',
  server: 'http://127.0.0.1:1',
  body: '{}',
  ...given,
})
const sold = (key: string, number: string, seat: string) =>
  exchange({ key, status: 200, data: { tickets: [{ number, space_id: seat }] } })
const ticket = (
  order: string,
  number: string,
  seat: string,
  orderStatus = 'paid',
  status = 'active'
): StoredTicket => ({
  order_id: order,
  order_status: orderStatus,
  number,
  space_id: seat,
  status,
})
const refunded = (key: string, second: number) =>
  exchange({ step: 'refund', key, status: 200, data: {}, at: new Date(second * 1_000) })
const soldAt = (second: number, key: string, number: string, seat: string) => ({
  ...sold(key, number, seat),
  at: new Date(second * 1_000),
})

test.group('Judging what buyers were answered', () => {
  test('sales that are stored as they were answered are neither lost nor doubled', ({ assert }) => {
    const exchanges = [sold('ord_1', 'T-1', 'A-1'), sold('ord_1', 'T-1', 'A-1')]
    const verdict = judgeExchanges(exchanges, [ticket('ord_1', 'T-1', 'A-1')])
    const { answeredSales, lost, soldTwice, unexpected, repeats, differing } = verdict
    assert.deepEqual(
      { answeredSales, lost, soldTwice, unexpected, repeats, differing },
      { answeredSales: 1, lost: [], soldTwice: [], unexpected: [], repeats: 1, differing: [] }
    )
  })

  test('an answered sale whose order is unpaid, without tickets or with others is lost', ({
    assert,
  }) => {
    const exchanges = ['ord_2', 'ord_3', 'ord_4'].map((order) => sold(order, `T-${order}`, order))
    const stored = [ticket('ord_2', 'T-ord_2', 'ord_2', 'pending'), ticket('ord_4', 'T-9', 'ord_4')]
    assert.deepEqual(judgeExchanges(exchanges, stored).lost, ['ord_2', 'ord_3', 'ord_4'])
  })

  test('a seat in two answered sales is sold twice, and one with two stored tickets', ({
    assert,
  }) => {
    const exchanges = [sold('ord_1', 'T-1', 'A-1'), sold('ord_3', 'T-3', 'A-1')]
    const stored = [ticket('ord_5', 'T-5', 'B-1'), ticket('ord_6', 'T-6', 'B-1')]
    assert.deepEqual(judgeExchanges(exchanges, stored).soldTwice, ['A-1', 'B-1'])
  })

  test('an answered refund whose tickets are still valid is lost', ({ assert }) => {
    const exchanges = ['ord_1', 'ord_2', 'ord_3'].flatMap((order) => [
      sold(order, `T-${order}`, order),
      refunded(order, 1),
    ])
    const stored = [
      ticket('ord_1', 'T-ord_1', 'ord_1', 'refunded', 'void'),
      ticket('ord_2', 'T-ord_2', 'ord_2', 'refunded'),
      ticket('ord_3', 'T-ord_3', 'ord_3', 'paid', 'void'),
    ]
    const { lost, refunded: count } = judgeExchanges(exchanges, stored)
    assert.deepEqual({ lost, count }, { lost: ['ord_2', 'ord_3'], count: 3 })
  })

  test('a seat is sold again after its refund was sent, and twice before', ({ assert }) => {
    const exchanges = [
      soldAt(1, 'ord_1', 'T-1', 'A-1'),
      refunded('ord_1', 2),
      soldAt(3, 'ord_2', 'T-2', 'A-1'),
      soldAt(1, 'ord_3', 'T-3', 'B-1'),
      soldAt(3, 'ord_4', 'T-4', 'B-1'),
      refunded('ord_3', 5),
    ]
    assert.deepEqual(judgeExchanges(exchanges, []).soldTwice, ['B-1'])
  })

  test('a repeat with other tickets differs, and one of a booking with another id', ({
    assert,
  }) => {
    const booking = (id: string) =>
      exchange({ step: 'book', key: 'b-1', status: 201, data: { booking_id: id } })
    const exchanges = [
      sold('ord_1', 'T-1', 'A-1'),
      sold('ord_1', 'T-4', 'A-1'),
      booking('bkg_1'),
      booking('bkg_2'),
    ]
    assert.deepEqual(judgeExchanges(exchanges, []).differing, ['confirm ord_1', 'book b-1'])
  })

  test('expected are success, taken seats, 503 with Retry-After and a broken connection', ({
    assert,
  }) => {
    const exchanges = [
      exchange({ failure: 'ECONNRESET' }),
      exchange({ status: 503, code: 'SERVICE_BUSY', retryAfter: '1' }),
      exchange({ step: 'book', status: 409, code: 'SEATS_NOT_AVAILABLE' }),
      exchange({ step: 'book', status: 503, code: 'SERVICE_BUSY' }),
      exchange({ step: 'order', status: 500, code: 'INTERNAL_ERROR' }),
      exchange({ step: 'order', status: 500, code: 'INTERNAL_ERROR' }),
    ]
    const { unexpected, refused, broken } = judgeExchanges(exchanges, [])
    assert.deepEqual(unexpected, [
      '1 × book 503 SERVICE_BUSY without Retry-After',
      '2 × order 500 INTERNAL_ERROR',
    ])
    assert.deepEqual({ refused, broken }, { refused: 2, broken: 1 })
  })
})
