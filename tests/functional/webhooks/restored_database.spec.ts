import ChangeEventStatus from '#catalog/actions/change_event_status'
import { aSale, TESTER } from '#tests/support/fixtures'
import { one, ownerRows } from '#tests/support/rows'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import relayNews from '#webhooks/relay_news/relay_news'
import { test } from '@japa/runner'

const FAR = 1_000_000_000
const deliveries = async (endpointId: number) => {
  const { n } = await one(
    'SELECT count(*)::int AS n FROM webhook_deliveries WHERE endpoint_id = ?',
    endpointId
  )
  return n as number
}

/** News as a dump brings them: with the transaction ids of the cluster that it was taken from. */
const oldNews = (eventId: string, xid: number) =>
  ownerRows(
    `INSERT INTO journal (name, actor_kind, actor, event_id, change_xid)
     VALUES ('event_prices_set', 'staff', 'somebody', ?, ?::text::xid8)`,
    eventId,
    String(xid)
  )

test.group('A dump restored into another cluster', () => {
  test('unsent webhooks are sent, sent ones are not repeated, the feed shows each change once', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await relayNews()
    const url = 'http://127.0.0.1:9/'
    const { id } = await new SetEndpoint().handle({ partnerCode: partner.code, url, actor: TESTER })
    const { json } = await client.get('/events')
    const { cursor } = json.meta
    // Two were sent before the dump was taken, one was not.
    for (const xid of [FAR, FAR + 1, FAR + 20]) await oldNews(event.id, xid)
    await ownerRows(
      `UPDATE webhook_relay SET seen = (? || ':' || ? || ':')::pg_snapshot`,
      String(FAR + 10),
      String(FAR + 10)
    )
    await ownerRows(`UPDATE restore_mark SET made_in = '1'`)
    // Past their trigger, which would give them this cluster's.
    await ownerRows(`ALTER TABLE events DISABLE TRIGGER USER`)
    await ownerRows(
      `UPDATE events SET change_xid = ?::text::xid8 WHERE id = ?`,
      String(FAR),
      event.id
    )
    await ownerRows(`ALTER TABLE events ENABLE TRIGGER USER`)

    await relayNews()
    assert.equal(await deliveries(id), 1)
    await relayNews()
    assert.equal(await deliveries(id), 1)
    await new ChangeEventStatus().handle({
      eventId: event.id,
      trigger: 'pause',
      reason: null,
      actor: TESTER,
    })
    await relayNews()
    assert.equal(await deliveries(id), 2)

    const first = await client.get(`/events?updated_since=${cursor}`)
    assert.lengthOf(first.data, 1)
    const second = await client.get(`/events?updated_since=${first.json.meta.cursor}`)
    assert.lengthOf(second.data, 0)
  })

  for (const [table, column] of [
    ['events', 'id'],
    ['event_grants', 'event_id'],
  ])
    test(`a row of ${table} with a transaction id of the former cluster is in the feed once`, async ({
      assert,
    }) => {
      const { client, event } = await aSale()
      await ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE ${table} SET change_xid = ?::text::xid8 FROM free WHERE ${column} = ?`,
        String(FAR),
        event.id
      )
      await ownerRows(`UPDATE restore_mark SET made_in = '1'`)
      await relayNews()

      const { json } = await client.get('/events')
      const { data } = await client.get(`/events?updated_since=${json.meta.cursor}`)
      assert.lengthOf(json.data, 1)
      assert.lengthOf(data, 0)
    })
})
