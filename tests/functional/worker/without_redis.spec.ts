import { lapseBooking } from '#tests/support/circumstances'
import { aSale, book, TESTER } from '#tests/support/fixtures'
import { aReceiver } from '#tests/support/receiver'
import { one, rows } from '#tests/support/rows'
import { sleep } from '#tests/functional/races/support/crowd'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import relayNews from '#webhooks/relay_news/relay_news'
import { Heartbeat } from '#worker/heartbeat'
import { LoneClock } from '#worker/lone_clock'
import { test } from '@japa/runner'

const never = () => new Promise(() => {})

async function until(isSo: () => boolean | Promise<boolean>, withinMs = 10_000) {
  const deadline = Date.now() + withinMs
  while (!(await isSo()) && Date.now() < deadline) await sleep(50)
}

test.group('A worker without Redis', () => {
  test('sweeps, relays and delivers by itself after Redis has been down for a while', async ({
    assert,
    cleanup,
  }) => {
    const receiver = await aReceiver()
    const { client, partner, event } = await aSale()
    await relayNews()
    const { url } = receiver
    await new SetEndpoint().handle({ partnerCode: partner.code, url, actor: TESTER })
    const { data: booking } = await book(client, event.id, ['seat-1-1'])
    await lapseBooking(booking.booking_id)

    const clock = new LoneClock(['clock', 'webhooks'], never, 300)
    cleanup(async () => {
      await clock.stop()
      receiver.close()
    })
    clock.start()
    assert.isFalse(clock.isAlone)
    await until(() => receiver.received.length > 0)
    assert.isTrue(clock.isAlone)
    assert.equal(receiver.received[0].json.booking_id, booking.booking_id)
  })

  test('leaves the work to the queues while Redis answers, and once it answers again', async ({
    assert,
    cleanup,
  }) => {
    let back = () => {}
    let isAway = false
    const redis = () =>
      isAway ? new Promise<void>((resolve) => (back = resolve)) : Promise.resolve()
    const clock = new LoneClock(['clock'], redis, 1500)
    cleanup(() => clock.stop())
    clock.start()
    await sleep(2500)
    assert.isFalse(clock.isAlone)
    isAway = true
    await until(() => clock.isAlone)
    assert.isTrue(clock.isAlone)
    isAway = false
    back()
    await until(() => !clock.isAlone)
    assert.isFalse(clock.isAlone)
  })
})

test.group('Heartbeat', () => {
  const aHeartbeat = (isAlone: boolean, onStuck = () => {}) => {
    const clock = { isAlone } as LoneClock
    return new Heartbeat(['clock'], clock, onStuck, 100)
  }

  test('is stored in PostgreSQL while the worker runs', async ({ assert }) => {
    const heartbeat = aHeartbeat(false)
    await heartbeat.start()
    const beating = await one('SELECT * FROM workers WHERE id = ?', heartbeat.id)
    assert.equal(beating.pid, process.pid)
    await heartbeat.stop()
    assert.lengthOf(await rows('SELECT 1 FROM workers WHERE id = ?', heartbeat.id), 0)
  })

  test('a worker without jobs is stuck; one with a long job or without Redis is not', async ({
    assert,
  }) => {
    let stuck = 0
    const heartbeats = {
      idle: aHeartbeat(false, () => stuck++),
      busy: aHeartbeat(false),
      alone: aHeartbeat(true),
    }
    const done = heartbeats.busy.beginJob()
    await sleep(150)
    assert.isTrue(heartbeats.idle.isStuck)
    assert.isFalse(heartbeats.busy.isStuck)
    assert.isFalse(heartbeats.alone.isStuck)
    done()
    await sleep(150)
    assert.isTrue(heartbeats.busy.isStuck)
    await heartbeats.idle.start()
    await heartbeats.idle.stop()
    assert.equal(stuck, 1)
  })
})
