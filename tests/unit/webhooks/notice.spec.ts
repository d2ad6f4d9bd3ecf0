import { composeNotice, type News } from '#webhooks/notice'
import { test } from '@japa/runner'

const news = (
  name: string | null,
  change: Record<string, unknown> = {},
  more: object = {}
): News => ({
  webhook_id: 'e7a9d2c4-33b8-4d19-b6f5-90c1d8a7f5b0',
  name,
  change,
  event_id: 'evt_1',
  booking_id: null,
  cancelled_at: null,
  utc_offset_minutes: 300,
  ...more,
})
const noticeOf = (one: News) => {
  const { name, body } = composeNotice(one)
  const { delivery_id: id, ...rest } = JSON.parse(body)
  return { name, id, rest }
}

test.group('Webhook contents', () => {
  test('an expired booking has its seats and its time at the venue', ({ assert }) => {
    const change = { expired_at: '2026-11-21T10:00:00.250+00:00', seats: ['seat-1', 'seat-2'] }
    const { name, id, rest } = noticeOf(news('booking_expired', change, { booking_id: 'bkg_1' }))
    assert.equal(name, 'booking_expired')
    assert.equal(id, 'e7a9d2c4-33b8-4d19-b6f5-90c1d8a7f5b0')
    assert.deepEqual(rest, {
      booking_id: 'bkg_1',
      expired_at: '2026-11-21T15:00:00.250+05:00',
      event_id: 'evt_1',
      seats: ['seat-1', 'seat-2'],
    })
  })

  test('a cancelled event has its reason and time', ({ assert }) => {
    const at = new Date('2026-11-21T10:00:00Z')
    const { name, rest } = noticeOf(
      news('event_cancelled', { reason: 'Болезнь' }, { cancelled_at: at })
    )
    assert.equal(name, 'event_cancelled')
    assert.deepEqual(rest, {
      event_id: 'evt_1',
      cancellation_reason: 'Болезнь',
      cancelled_at: '2026-11-21T15:00:00+05:00',
    })
  })

  for (const [from, to, type] of [
    ['sales_open', 'sales_paused', 'sales_paused'],
    ['sales_paused', 'sales_open', 'sales_resumed'],
    ['sales_scheduled', 'sales_open', 'updated'],
    ['sales_open', 'sales_closed', 'updated'],
    ['sales_paused', 'sales_closed', 'updated'],
  ]) {
    test(`${from} → ${to} is ${type}`, ({ assert }) => {
      const { name, rest } = noticeOf(news('event_status_changed', { from, to, reason: null }))
      assert.equal(name, 'event_updated')
      assert.deepEqual(rest, { event_id: 'evt_1', change_type: type })
    })
  }

  test('a new date is included for rescheduled events only', ({ assert }) => {
    const change = { from: '2026-11-21T10:00:00Z', to: '2026-12-01T14:00:00Z' }
    assert.deepEqual(noticeOf(news('event_rescheduled', change)).rest, {
      event_id: 'evt_1',
      change_type: 'rescheduled',
      new_date: '2026-12-01T19:00:00+05:00',
    })
  })

  test('changes of prices and grants are updates', ({ assert }) => {
    for (const name of ['event_edited', 'event_prices_set', 'grant_given', 'grant_revoked'])
      assert.deepEqual(noticeOf(news(name)).rest, { event_id: 'evt_1', change_type: 'updated' })
  })
})
