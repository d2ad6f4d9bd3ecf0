import { journalEntry } from '#shared/journal'
import { test } from '@japa/runner'

test.group('Journal entries in SQL', () => {
  test('an entry has the details that its module declares, and no others compile', ({ assert }) => {
    const sql = journalEntry('event_cancellation_lapsed', {
      from: 'lapsed',
      by: 'clock',
      eventId: 'event_id',
      details: { asked_by: 'asked_by' },
    })
    assert.include(
      sql,
      "SELECT 'event_cancellation_lapsed', 'clock', 'clock', NULL::uuid, NULL, event_id"
    )
    assert.include(sql, "jsonb_build_object('asked_by', asked_by)")
    const source = { from: 'placed', by: 'actor' } as const
    assert.include(journalEntry('order_placed', source), 'jsonb_build_object()')
    // @ts-expect-error The declaration requires `asked_by`.
    journalEntry('event_cancellation_lapsed', source)
    // @ts-expect-error The declaration has no details.
    journalEntry('order_placed', { ...source, details: { seats: 'seats' } })
  })
})
