import { sleep } from '#tests/functional/races/support/crowd'
import { WebProcess } from '#tests/functional/races/support/web_process'
import { aSale } from '#tests/support/fixtures'
import { signedBytes } from '#tests/support/raw_socket'
import { test } from '@japa/runner'
import { once } from 'node:events'
import { connect } from 'node:net'

const GET = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
const GET_READY = GET.replace('live', 'ready')
/** A kept connection to the web process, as a proxy has them. */
async function aConnection(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  let error: Error | undefined
  socket.on('data', (data) => (text += data.toString()))
  socket.on('error', (thrown) => (error = thrown))
  const ended = once(socket, 'close')
  /** The next answer, whole. */
  const answer = async () => {
    while (!/\r\n\r\n.*\}$/s.test(text)) {
      if (socket.closed) throw new Error('The connection was closed without an answer')
      await Promise.race([once(socket, 'data'), ended])
    }
    const whole = text
    text = ''
    return whole
  }
  return { socket, answer, ended, failure: () => error }
}

/** Until the process accepts nothing new. */
async function untilClosed({ url }: WebProcess) {
  const isOpen = () =>
    fetch(`${url}/health/live`).then(
      () => true,
      () => false
    )
  while (await isOpen()) await sleep(20)
}

test.group('Stopping a web process', (group) => {
  let web: WebProcess
  group.each.setup(async () => {
    web = await WebProcess.start()
    return async () => {
      await web.stop('SIGKILL')
    }
  })

  test('ends within two seconds when connections are idle, also one that never sent anything', async ({
    assert,
  }) => {
    const [silent, kept] = [await aConnection(web.port), await aConnection(web.port)]
    kept.socket.write(GET)
    assert.match(await kept.answer(), /^HTTP\/1\.1 200 /)
    const began = performance.now()
    assert.equal(await web.stop(), 0)
    assert.isBelow(performance.now() - began, 2_000)
    await Promise.all([silent.ended, kept.ended])
    assert.deepEqual([silent.failure(), kept.failure()], [undefined, undefined])
  })

  test('a request on a kept connection is answered with “Connection: close”', async ({
    assert,
  }) => {
    const kept = await aConnection(web.port)
    kept.socket.write(GET)
    assert.match(await kept.answer(), /^connection: keep-alive/im)
    const stopped = web.stop()
    // The proxy has not noticed yet.
    await sleep(300)
    kept.socket.write(GET)
    const answer = await kept.answer()
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.match(answer, /^connection: close/im)
    await kept.ended
    assert.isUndefined(kept.failure())
    assert.equal(await stopped, 0)
  })

  test('a process that is stopping is not ready', async ({ assert }) => {
    const kept = await aConnection(web.port)
    kept.socket.write(GET_READY)
    assert.match(await kept.answer(), /^HTTP\/1\.1 200 .*"status":"ready"/s)
    const stopped = web.stop()
    await untilClosed(web)
    kept.socket.write(GET_READY)
    assert.match(await kept.answer(), /^HTTP\/1\.1 503 .*"status":"unavailable"/s)
    assert.equal(await stopped, 0)
  })

  test('a request that is under way is answered, and nothing new is accepted', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const body = JSON.stringify({
      partner_booking_id: 'begun',
      event_id: event.id,
      seats: ['seat-1-1'],
    })
    const bytes = signedBytes(client, 'POST', '/bookings', body)
    const begun = await aConnection(web.port)
    begun.socket.write(bytes.slice(0, -1))
    await sleep(200)
    const stopped = web.stop()
    await sleep(1_500)
    const refused = await fetch(`${web.url}/health/live`).then(
      () => 'accepted',
      ({ cause }) => cause.code as string
    )
    assert.equal(refused, 'ECONNREFUSED')
    begun.socket.write(bytes.slice(-1))
    const answer = await begun.answer()
    assert.match(answer, /^HTTP\/1\.1 201 /)
    assert.match(answer, /^connection: close/im)
    assert.equal(await stopped, 0)
  })
})
