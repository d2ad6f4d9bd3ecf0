import { isLinkExpired, isTicketLink, ticketPdfUrl } from '#tickets/ticket_link'
import { test } from '@japa/runner'

const DAY_MS = 24 * 3600 * 1000

test.group('Link of a ticket', () => {
  test('opens until 30 days after the end of the event, to the millisecond', ({ assert }) => {
    const endsAt = new Date('2026-03-01T18:00:00Z')
    const after = (ms: number) => new Date(endsAt.getTime() + ms)
    assert.isFalse(isLinkExpired(endsAt, after(30 * DAY_MS)))
    assert.isTrue(isLinkExpired(endsAt, after(30 * DAY_MS + 1)))
  })
  test('has one spelling of its signature', ({ assert }) => {
    const id = 'tkt_01'
    const signature = new URL(ticketPdfUrl(id)).searchParams.get('signature')!
    assert.isTrue(isTicketLink(id, signature))
    assert.isFalse(isTicketLink('tkt_02', signature))
    const standard = Buffer.from(signature, 'base64url').toString('base64')
    for (const other of [standard, `${signature}=`, `${signature} `, `${signature}!`])
      assert.isFalse(isTicketLink(id, other), other)
  })
})
