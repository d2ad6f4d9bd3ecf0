import { isLinkExpired } from '#tickets/ticket_link'
import { test } from '@japa/runner'

const DAY_MS = 24 * 3600 * 1000

test.group('Link of a ticket', () => {
  test('opens until 30 days after the end of the event, to the millisecond', ({ assert }) => {
    const endsAt = new Date('2026-03-01T18:00:00Z')
    const after = (ms: number) => new Date(endsAt.getTime() + ms)
    assert.isFalse(isLinkExpired(endsAt, after(30 * DAY_MS)))
    assert.isTrue(isLinkExpired(endsAt, after(30 * DAY_MS + 1)))
  })
})
