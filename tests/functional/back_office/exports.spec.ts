import { aSale, sell } from '#tests/support/fixtures'
import { rows } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'

test.group('Exports of lists', () => {
  test('what the list shows, as a file', async ({ assert }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1'])
    const staff = await StaffClient.signedIn('support')
    const answer = await staff.get(`/back-office/orders.csv?q=${sold.order_id}`)
    const text = await answer.text()
    const [head, line, ...more] = text.trim().split('\n')
    assert.match(head, /^\uFEFF?order_id;created_at;/)
    assert.include(line, sold.order_id)
    assert.deepEqual(more, [])
  })

  test('a query that fails midway breaks the download off, and nothing else', async ({
    assert,
    cleanup,
  }) => {
    const staff = await StaffClient.signedIn('support')
    await rows('ALTER TABLE booking_seats RENAME TO booking_seats_away')
    const put = async () => {
      await rows('ALTER TABLE IF EXISTS booking_seats_away RENAME TO booking_seats')
    }
    cleanup(put)
    const broken = await staff.get('/back-office/orders.csv').then(
      async (answer) => {
        const text = await answer.text()
        return answer.ok ? `a whole file of ${text.length} letters` : 'an error'
      },
      () => 'broken off'
    )
    await put()
    assert.notInclude(broken, 'a whole file')
    const answer = await staff.get('/back-office/orders.csv')
    assert.equal(answer.status, 200)
  })
})
