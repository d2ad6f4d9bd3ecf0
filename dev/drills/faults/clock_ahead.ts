import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKey } from '../../../bench/generator/fresh_ids.ts'
import { CUSTOMER } from '../../../bench/generator/partner_calls.ts'
import { poll } from '../../poll.ts'
import { freePort } from '../../ports.ts'
import { StartUpError } from '../../start_up_error.ts'
import { seen } from '../drill_report.ts'
import type { Buyer } from '../load/buyers.ts'
import { signedCall } from '../load/signed_call.ts'
import { queryOne } from '../query.ts'
import type { Site } from '../site.ts'
import type { Faulty } from './faults_drill.ts'

const AHEAD_SECONDS = 600
const NAME = 'web with a wrong clock'
const READY_WITHIN_MS = 60_000
const TOLERANCE_SECONDS = 2

/** One more web process, on a machine whose clock is ten minutes ahead. */
export async function clockAhead({ report, supervisor, site, directory }: Faulty) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const clock = {
    LD_PRELOAD: libraryFor(process.arch),
    FAKETIME: `+${AHEAD_SECONDS}s`,
    // Timers stay right, as they do on a machine with a wrong clock.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  await report.check(
    'clock of a web machine 10 minutes ahead: /health/ready is 503 and names it',
    async () => {
      const env = { ...clock, PORT: String(port), LOG_LEVEL: 'info' }
      await supervisor.start(site.program(NAME, env))
      const lives = () =>
        fetch(`${url}/health/live`).then(
          ({ ok }) => ok,
          () => false
        )
      if (!(await poll(lives, { withinMs: READY_WITHIN_MS, everyMs: 250 })))
        throw new StartUpError('the web process with a wrong clock does not start')
      const response = await fetch(`${url}/health/ready`)
      const { problems } = (await response.json()) as { problems?: string[] }
      const text = `${response.status} ${problems?.join(', ')}`
      return seen(text, response.status === 503 && problems?.join() === 'clock_differs')
    }
  )
  await report.check('there signed requests are refused, with the reason in the log', async () => {
    const { status } = await signedCall(url, site.buyer, '/events')
    const isLogged = () => readFileSync(join(directory, `${NAME}.log`), 'utf8').includes(REASON)
    const hasReason = await poll(isLogged, { withinMs: 5_000 })
    const text = `${status}, ${hasReason ? `"${REASON} …"` : 'no reason in the log'}`
    return seen(text, status === 401 && hasReason)
  })
  await report.check('there holds and payment windows end by the clock of PostgreSQL', async () => {
    const lengths = await lengthsOf(url, site)
    const texts = lengths.map(
      ({ name, wanted, seconds }) => `a ${name} of ${wanted} s ends after ${seconds.toFixed(1)} s`
    )
    const areRight = lengths.every(
      ({ wanted, seconds }) => Math.abs(seconds - wanted) < TOLERANCE_SECONDS
    )
    return seen(texts.join(', '), areRight)
  })
  await supervisor.find(NAME)?.stop()
}

const REASON = 'behind the clock of this machine'

/** Signed by the wrong clock, as by a partner with the same one. */
async function post(url: string, partner: Buyer, path: string, content: object) {
  const answer = await signedCall(url, partner, path, { content, aheadSeconds: AHEAD_SECONDS })
  const { status, code, data } = answer
  if (!data) throw new StartUpError(`POST ${path} was refused: ${status} ${code}`)
  return data
}

/** How long a hold and an order last that the partner gets there, by the clock of PostgreSQL, and how long they should. */
async function lengthsOf(url: string, { databaseUrl, holder }: Site) {
  const create = async (path: string, content: object) => {
    const { now } = await queryOne<{ now: Date }>(databaseUrl, 'SELECT clock_timestamp() AS now')
    const created = await post(url, holder, path, content)
    return { created, seconds: (Date.parse(created.expires_at) - now.getTime()) / 1_000 }
  }
  const booking = await create('/bookings', {
    event_id: holder.eventId,
    partner_booking_id: newKey('clock'),
    seats: holder.seats.slice(-1),
  })
  const order = await create('/orders', {
    booking_id: booking.created.booking_id,
    partner_order_id: newKey('clock'),
    customer: CUSTOMER,
    consent: true,
  })
  const wanted = await queryOne<Windows>(databaseUrl, WINDOWS, [holder.partner])
  return [
    { name: 'hold', wanted: wanted.hold, seconds: booking.seconds },
    { name: 'payment window', wanted: wanted.payment, seconds: order.seconds },
  ]
}

interface Windows {
  hold: number
  payment: number
}
const WINDOWS =
  'SELECT hold_seconds AS hold, payment_window_seconds AS payment FROM partners WHERE code = $1'

/** Where Debian puts the library, by the processor as Node names it. */
export function libraryFor(architecture: string) {
  const name = { x64: 'x86_64', arm64: 'aarch64' }[architecture]
  if (!name) throw new StartUpError(`the drill knows no libfaketime for ${architecture}`)
  return `/usr/lib/${name}-linux-gnu/faketime/libfaketime.so.1`
}
