import platform from '#config/platform'
import { aSale, sell } from '#tests/support/fixtures'
import { rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test.group('Without the storage directory', (group) => {
  group.each.setup(async () => {
    const { storageDirectory } = platform
    const scratch = await mkdtemp(join(tmpdir(), 'lost-'))
    // Below a file nothing can be made or found.
    const lost = join(scratch, 'lost')
    await writeFile(lost, '')
    platform.storageDirectory = join(lost, 'storage')
    return async () => {
      platform.storageDirectory = storageDirectory
      await rm(scratch, { recursive: true })
    }
  })

  test('tickets are sold, printed and refunded', async ({ assert }) => {
    const { client, event } = await aSale()
    const order = await sell(client, event.id, ['seat-1-1'])
    const [ticket] = order.tickets
    const pdf = await fetch(ticket.pdf_url)
    assert.equal(pdf.status, 200)
    assert.equal(pdf.headers.get('content-type'), 'application/pdf')
    const refunded = await client.post(`/orders/${order.order_id}/refund`, {
      ticket_ids: [ticket.ticket_id],
      reason: 'BUYER_REQUEST',
    })
    assert.equal(refunded.status, 200)
    const states = await rows('SELECT status FROM tickets WHERE order_id = ?', order.order_id)
    assert.deepEqual(states, [{ status: 'void' }])
  })
})
