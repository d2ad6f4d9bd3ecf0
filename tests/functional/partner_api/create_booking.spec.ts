import { aSale, book } from '#tests/support/fixtures'
import { test } from '@japa/runner'

test.group('POST /bookings', () => {
  test('holds all listed seats at their prices', async ({ assert }) => {
    const { client, event } = await aSale()

    const answer = await book(client, event.id, ['seat-2-1', 'seat-1-1'])

    assert.equal(answer.status, 201)
    assert.equal(answer.data.total_tenge, 57_000)
  })
})
