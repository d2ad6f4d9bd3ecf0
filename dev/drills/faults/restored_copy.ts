import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { newKey } from '../../../bench/generator/fresh_ids.ts'
import { aReceiver } from '../../../tests/support/receiver.ts'
import { variablesOf } from '../../environment.ts'
import { poll } from '../../poll.ts'
import { freePort } from '../../ports.ts'
import type { DatabaseUrls } from '../../postgres.ts'
import { untilReadyAt } from '../../readiness.ts'
import { seen } from '../drill_report.ts'
import type { Buyer } from '../load/buyers.ts'
import { signedCall } from '../load/signed_call.ts'
import { query, queryOne } from '../query.ts'
import { runCommand, type Site, WORK } from '../site.ts'
import type { Faulty } from './faults_drill.ts'

const DELIVERED_WITHIN_MS = 60_000

/** A restored database, with queues of its own in another database of the same Redis. */
export interface Copy {
  name: string
  urls: DatabaseUrls
  redis: number
}

export interface Feed {
  events: number
  cursor: string
}

/** Nothing that was due at the time of the backup leaves it. */
export const settingsOf = ({ site }: Faulty, { urls, redis }: Copy) => ({
  ...variablesOf(urls),
  QUIET: 'true',
  REDIS_URL: `${site.env.REDIS_URL}/${redis}`,
})

/** The events that are on sale, or with a cursor all that have changed since it. */
export async function readFeed(url: string, partner: Buyer, cursor?: string): Promise<Feed> {
  const path = cursor === undefined ? '/events' : `/events?updated_since=${cursor}`
  const { meta } = await signedCall(url, partner, path)
  return { events: meta.total, cursor: meta.cursor }
}

/** What a partner meets that goes on where it was: its cursor is newer than the copy. */
export async function readAsPartner(faulty: Faulty, copy: Copy, live: Feed) {
  const { report, site } = faulty
  await report.check(
    `${copy.name} answers a partner's newer cursor with every event, then with none, and a sale with 503`,
    () =>
      withWeb(faulty, copy, settingsOf(faulty, copy), async (url) => {
        const { all } = await queryOne<{ all: number }>(copy.urls.owner, EVENTS, [
          site.buyer.partner,
        ])
        const since = await readFeed(url, site.buyer, live.cursor)
        const then = await readFeed(url, site.buyer, since.cursor)
        const { status, code, retryAfter } = await book(url, site.holder)
        const text = `${since.events} of ${all} events, then ${then.events}; ${status} ${code}, Retry-After ${retryAfter}`
        const isRead = all > 0 && since.events === all && then.events === 0
        return seen(
          text,
          isRead && status === 503 && code === 'SERVICE_BUSY' && retryAfter !== null
        )
      })
  )
}

/** The copy takes the place of the original: it sells, and its partner gets what was due. */
export async function finishRestore(faulty: Faulty, copy: Copy) {
  const { report, supervisor, directory, site, cleanup } = faulty
  const storage = join(directory, 'storage of the copy')
  const settings = { ...settingsOf(faulty, copy), QUIET: 'false', STORAGE_DIRECTORY: storage }
  await report.check(`after restore:finish ${copy.name} sells`, async () => {
    cpSync(site.env.STORAGE_DIRECTORY!, storage, { recursive: true })
    const program: Site['program'] = (name, env, args) =>
      site.program(name, { ...settings, ...env }, args)
    await runCommand(supervisor, directory, program, ['restore:finish', '--yes'])
    return withWeb(faulty, copy, settings, async (url) => {
      const { status, code } = await book(url, site.holder)
      return seen(`a booking is answered ${status} ${code ?? ''}`.trim(), status === 201)
    })
  })
  await report.check('without QUIET it sends each webhook that was due, once', async () => {
    const receiver = await aReceiver()
    cleanup.defer(() => receiver.close())
    await query(copy.urls.owner, 'UPDATE webhook_endpoints SET url = $1', [receiver.url])
    const rows = await query<{ id: string }>(copy.urls.owner, DUE)
    const { count } = await queryOne<{ count: number }>(copy.urls.owner, DELIVERED)
    const due = rows.map(({ id }) => id)
    const env = { ...settings, WORKER_PORT: String(await freePort()) }
    const worker = await supervisor.start(site.program('worker of the finished copy', env, WORK))
    try {
      const sent = () => receiver.received.map(({ headers }) => headers['x-webhook-id'] as string)
      const missing = () => due.filter((id) => !sent().includes(id))
      await poll(() => missing().length === 0, { withinMs: DELIVERED_WITHIN_MS })
      const again = sent().length - new Set(sent()).size
      const text = `${due.length - missing().length} of ${due.length} sent, ${again} sent again; ${count} were delivered before`
      return seen(text, due.length > 0 && missing().length === 0 && again === 0)
    } finally {
      await worker.stop()
    }
  })
}

const EVENTS = `SELECT count(*)::int AS "all" FROM event_grants g JOIN partners p ON p.id = g.partner_id WHERE p.code = $1`
const DUE = `SELECT webhook_id AS id FROM webhook_deliveries WHERE status = 'pending'`
const DELIVERED = `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'delivered'`

const book = (url: string, partner: Buyer) =>
  signedCall(url, partner, '/bookings', {
    content: {
      event_id: partner.eventId,
      partner_booking_id: newKey('copy'),
      seats: partner.seats.slice(-1),
    },
  })

async function withWeb<Outcome>(
  { supervisor, site }: Faulty,
  { name }: Copy,
  settings: NodeJS.ProcessEnv,
  use: (url: string) => Promise<Outcome>
) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { ...settings, PORT: String(port) }
  const web = await supervisor.start(site.program(`web of ${name}`, env))
  try {
    await Promise.race([untilReadyAt(url), supervisor.failWhenOneEnds()])
    return await use(url)
  } finally {
    await web.stop()
  }
}
