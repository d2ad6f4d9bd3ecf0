import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKey } from '../../../bench/generator/fresh_ids.ts'
import { PREFIX, signedHeaders } from '../../../bench/generator/signed_request.ts'
import { poll } from '../../poll.ts'
import { freePort } from '../../ports.ts'
import { StartUpError } from '../../start_up_error.ts'
import { seen } from '../drill_report.ts'
import type { Buyer } from '../load/buyers.ts'
import { query } from '../query.ts'
import type { Faulty } from './faults_drill.ts'

const AHEAD_SECONDS = 600
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const NAME = 'web with a wrong clock'
const READY_WITHIN_MS = 60_000
/** The hold of the sandbox's partner `brisk`. */
const HOLD_SECONDS = 5
const TOLERANCE_SECONDS = 2

/** One more web process, on a machine whose clock is ten minutes ahead. */
export async function clockAhead({ report, supervisor, site, directory }: Faulty) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const clock = {
    LD_PRELOAD: LIBRARY,
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
    const headers = signedHeaders(site.buyer, 'GET', '/events')
    const response = await fetch(`${url}${PREFIX}/events`, { headers })
    await response.text()
    const isLogged = () => readFileSync(join(directory, `${NAME}.log`), 'utf8').includes(REASON)
    const hasReason = await poll(isLogged, { withinMs: 5_000 })
    const text = `${response.status}, ${hasReason ? `"${REASON} …"` : 'no reason in the log'}`
    return seen(text, response.status === 401 && hasReason)
  })
  await report.check('there holds end by the clock of PostgreSQL', async () => {
    const [{ now }] = await query<{ now: Date }>(
      site.databaseUrl,
      'SELECT clock_timestamp() AS now'
    )
    const expiresAt = await hold(url, site.holder)
    const seconds = (expiresAt.getTime() - now.getTime()) / 1_000
    const isRight = Math.abs(seconds - HOLD_SECONDS) < TOLERANCE_SECONDS
    return seen(`a hold of ${HOLD_SECONDS} s ends after ${seconds.toFixed(1)} s`, isRight)
  })
  await supervisor.find(NAME)?.stop()
}

const REASON = 'behind the clock of this machine'

/** Signs by the wrong clock, as a partner with the same one would. */
async function hold(url: string, partner: Buyer) {
  const body = JSON.stringify({
    event_id: partner.eventId,
    partner_booking_id: newKey('clock'),
    seats: partner.seats.slice(-1),
  })
  const timestamp = String(Math.floor(Date.now() / 1_000) + AHEAD_SECONDS)
  const signature = createHmac('sha256', partner.secret)
    .update(`${timestamp}\nPOST\n${PREFIX}/bookings\n${body}`)
    .digest('hex')
  const response = await fetch(`${url}${PREFIX}/bookings`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Api-Key': partner.apiKey,
      'X-Timestamp': timestamp,
      'X-Signature': signature,
    },
    body,
  })
  const { data, error } = (await response.json()) as any
  if (!data) throw new StartUpError(`the hold was refused: ${response.status} ${error?.code}`)
  return new Date(data.expires_at)
}
