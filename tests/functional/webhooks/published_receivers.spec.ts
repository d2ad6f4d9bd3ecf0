import { together } from '#tests/functional/races/support/crowd'
import {
  ReceiverProcess,
  RECEIVER_EXAMPLES,
} from '#tests/functional/races/support/receiver_process'
import { test } from '@japa/runner'
import { createHmac, randomUUID } from 'node:crypto'

test.group('Published example receivers', () => {
  const pair = { apiKey: 'pk_live_old', secret: 'sk_live_old' }
  const next = { apiKey: 'pk_live_next', secret: 'sk_live_next' }
  const variables = { PARTNER_NEXT_API_KEY: next.apiKey, PARTNER_NEXT_SECRET: next.secret }
  const now = () => Math.floor(Date.now() / 1000)

  /** A delivery with a signature of the test's own; what is sent may differ from what was signed. */
  async function send(url: string, body: string, signed: Record<string, any> = {}, sent = {}) {
    const { apiKey, secret, timestamp = String(now()) } = { ...pair, ...signed }
    const { pathname, search } = new URL(url)
    const canonical = `${timestamp}\nPOST\n${pathname}${search}\n${body}`
    const signature = createHmac('sha256', secret).update(canonical).digest('hex')
    const as = { url, body, signature, apiKey, timestamp, ...sent }
    const headers = {
      'X-Api-Key': as.apiKey,
      'X-Timestamp': as.timestamp,
      'X-Signature': as.signature,
      'Content-Type': 'application/json',
    }
    const { status } = await fetch(as.url, { method: 'POST', headers, body: as.body })
    return status
  }
  const newsOf = (id: string = randomUUID()) =>
    JSON.stringify({ delivery_id: id, event_id: 'evt_1', change_type: 'updated' })

  for (const example of RECEIVER_EXAMPLES) {
    test(`${example} refuses invalid signatures and prints nothing of them`, async ({ assert }) => {
      const receiver = await ReceiverProcess.start(pair, example, variables)
      const { url } = receiver
      const [path, query] = url.split('?')
      const body = newsOf()
      const wrong: Record<string, [signed: object, sent: object]> = {
        'another signature': [{}, { signature: 'a'.repeat(64) }],
        'a signature in upper case': [{}, { signature: 'A'.repeat(64) }],
        'no signature': [{}, { signature: '' }],
        'another secret': [{ secret: next.secret }, {}],
        'an unknown key': [{ apiKey: 'pk_live_other' }, {}],
        'an old timestamp': [{ timestamp: String(now() - 310) }, {}],
        'a timestamp to come': [{ timestamp: String(now() + 310) }, {}],
        'a fresh timestamp over an old signature': [
          { timestamp: String(now() - 310) },
          { timestamp: String(now()) },
        ],
        'milliseconds': [{ timestamp: String(Date.now()) }, {}],
        'another body': [{}, { body: newsOf() }],
        'a body serialised again': [{}, { body: JSON.stringify(JSON.parse(body), null, 1) }],
        'another path': [{}, { url: `${path}s?${query}` }],
        'no query': [{}, { url: path }],
        'a query in another order': [
          {},
          { url: `${path}?${query.split('&').reverse().join('&')}` },
        ],
      }

      const statuses: Record<string, number> = {}
      for (const [what, [signed, sent]] of Object.entries(wrong))
        statuses[what] = await send(url, body, signed, sent)
      const accepted = await send(url, body)
      await receiver.hasPrinted(() => true)
      await receiver.stop()

      const refused = Object.keys(wrong).map((what) => [what, 401])
      assert.deepEqual(statuses, Object.fromEntries(refused))
      assert.equal(accepted, 204)
      assert.deepEqual(
        receiver.printed.map(({ news }) => news),
        [JSON.parse(body)]
      )
    })

    test(`${example} prints a repeated delivery once, and accepts both keys during a rotation`, async ({
      assert,
    }) => {
      const receiver = await ReceiverProcess.start(pair, example, variables)
      const { url } = receiver
      const id = randomUUID()
      const repeats = await together(6, () => send(url, newsOf(id)))
      const statuses = [
        ...repeats,
        await send(url, newsOf(), next),
        await send(url, '{}'.padEnd(70_000)),
      ]
      await receiver.hasPrinted(() => true, 2)
      await receiver.stop()

      assert.deepEqual(statuses, [204, 204, 204, 204, 204, 204, 204, 413])
      assert.lengthOf(receiver.printed, 2)
    })
  }
})
