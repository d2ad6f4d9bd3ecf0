import { aSale, sell } from '#tests/support/fixtures'
import { PartnerClient } from '#tests/support/partner_client'
import { WebProcess } from '#tests/functional/races/support/web_process'
import { outcomeOf } from '#tests/functional/races/support/crowd'
import { test } from '@japa/runner'

const FORMER = process.env.LINK_KEY!
const PRESENT = 'the present link key of at least 32 characters'

/** A ticket's link and a cursor that were made with the former key. */
async function handedOut() {
  const { client, event } = await aSale()
  const order = await sell(client, event.id, ['seat-1-1'])
  const { json } = await client.get('/events')
  return {
    client,
    order,
    link: new URL(order.tickets[0].pdf_url as string),
    cursor: json.meta.cursor as string,
  }
}

/** The status of a ticket's PDF, asked of this process. */
async function openAt(web: WebProcess, link: URL) {
  const { status } = await fetch(web.url + link.pathname + link.search)
  return status
}

test.group('A change of LINK_KEY', (group) => {
  group.each.timeout(300_000)

  test('with the former key among the previous ones, links and cursors that were handed out go on', async ({
    assert,
    cleanup,
  }) => {
    const { client, order, link, cursor } = await handedOut()
    const web = await WebProcess.start({ LINK_KEY: PRESENT, LINK_PREVIOUS_KEYS: FORMER })
    cleanup(() => void web.stop('SIGKILL'))
    assert.equal(await openAt(web, link), 200)
    const partner = new PartnerClient(client.credentials, web.url)
    const polled = await partner.get(`/events?updated_since=${cursor}`)
    assert.equal(polled.status, 200, polled.text)
    assert.lengthOf(polled.data, 0)

    const read = await partner.get(`/orders?partner_order_id=${order.partner_order_id}`)
    const [{ pdf_url: renewed }] = read.data.tickets as { pdf_url: string }[]
    assert.notEqual(new URL(renewed).search, link.search)
    assert.equal(await openAt(web, new URL(renewed)), 200)
  })

  test('without it they are refused', async ({ assert, cleanup }) => {
    const { client, link, cursor } = await handedOut()
    const web = await WebProcess.start({ LINK_KEY: PRESENT })
    cleanup(() => void web.stop('SIGKILL'))
    assert.notEqual(await openAt(web, link), 200)
    const polled = await new PartnerClient(client.credentials, web.url).get(
      `/events?updated_since=${cursor}`
    )
    assert.equal(outcomeOf(polled), '422 INVALID_PARAMETERS')
  })
})
