import { aStaffMember } from '#tests/support/browser'
import { aFilledOffice, type FilledOffice } from '#tests/support/filled_office'
import { signedIn, type PageClient } from '#tests/support/page_client'
import { rows } from '#tests/support/rows'
import limiter from '@adonisjs/limiter/services/main'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

const BASE = '/back-office'
const REASON = 'По просьбе партнёра'
const version = async ({ register }: FilledOffice) => {
  const [found] = await rows('SELECT version FROM partner_registers WHERE id = ?', register)
  return found.version as number
}

interface Attempt {
  path: string
  body?: object
}
type Ask = (one: FilledOffice, other: FilledOffice) => Attempt | Promise<Attempt>

/** Routes that name a thing within a thing: the outer one is `one`'s, the inner one `other`'s. */
const NESTED: Record<string, Ask> = {
  'GET /events/:id/plan/seats/:space': (one) => ({
    path: `/events/${one.event}/plan/seats/seat-of-another-hall`,
  }),
  'DELETE /events/:id/plan/carts/:cart': (one, other) => ({
    path: `/events/${one.event}/plan/carts/${other.cart}`,
  }),
  'POST /events/:id/plan/carts/:cart/sales': (one, other) => ({
    path: `/events/${one.event}/plan/carts/${other.cart}/sales`,
  }),
  'POST /partners/:code/keys/:key/rotation': (one, other) => ({
    path: `/partners/${one.code}/keys/${other.key}/rotation`,
    body: { expiresAt: new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '') },
  }),
  'DELETE /partners/:code/keys/:key': (one, other) => ({
    path: `/partners/${one.code}/keys/${other.key}`,
  }),
  'DELETE /settlement/:code/terms/:id': (one, other) => ({
    path: `/settlement/${one.code}/terms/${other.terms}`,
    body: { reason: REASON },
  }),
  'DELETE /settlement/:code/allocations/:id': (one, other) => ({
    path: `/settlement/${one.code}/allocations/${other.allocation}`,
    body: { reason: REASON },
  }),
  // The number of a part counts within its register: that of one with more parts than this one has.
  'DELETE /registers/:id/parts/:number': async (one) => ({
    path: `/registers/${one.register}/parts/3`,
    body: { version: await version(one) },
  }),
  'GET /runs/:id/files/:name': (one, other) => ({
    path: `/runs/${one.run}/files/${other.file}`,
  }),
  'POST /jobs/:queue/:id/retry': () => ({ path: '/jobs/webhooks/no-such-job/retry' }),
}

/** Forms that name something of another partner in their fields; those of mails: `statement_mails.spec.ts`. */
const IN_FIELDS: Record<string, Ask> = {
  'POST /orders/:id/voids': (one, other) => ({
    path: `/orders/${one.order}/voids`,
    body: { ticketIds: [other.ticket], cause: 'platform', reason: REASON, returnsSeats: false },
  }),
  'POST /settlement/:code/allocations': (one, other) => ({
    path: `/settlement/${one.code}/allocations`,
    body: { credit: other.item, debit: one.item, amountTenge: 1 },
  }),
  'POST /settlement/:code/workbooks': (one, other) => ({
    path: `/settlement/${one.code}/workbooks`,
    body: { statementId: Number(other.statement), language: 'ru', hasTwins: false },
  }),
  'POST /settlement/:code/payments': (one, other) => ({
    path: `/settlement/${one.code}/payments`,
    body: {
      direction: 'from_partner',
      amountTenge: 500,
      bankReference: 'X-1',
      paidOn: new Date().toISOString().slice(0, 10),
      parts: [{ statementId: Number(other.statement), amountTenge: 500 }],
    },
  }),
  'POST /webhooks/:partner/replay': (one, other) => ({
    path: `/webhooks/${one.code}/replay`,
    body: { webhookIds: [other.webhookId] },
  }),
  'PUT /registers/:id/source': async (one, other) => ({
    path: `/registers/${one.register}/source`,
    body: { version: await version(one), sourceId: await sourceOf(other) },
  }),
}

async function sourceOf({ register }: FilledOffice) {
  const [found] = await rows('SELECT source_id FROM partner_registers WHERE id = ?', register)
  return found.source_id as number
}

/** All that is written about these partners and their events; sessions and requests of pages are not. */
async function stateOf(...offices: FilledOffice[]) {
  const partners = offices.map(({ partner }) => partner.id)
  const events = offices.map(({ event }) => event)
  const counted = [
    'settlement_terms',
    'settlement_allocations',
    'partner_keys',
    'partner_registers',
    'settlement_payments',
    'settlement_runs',
    'mails',
  ]
  const parts = counted.map(
    (table) =>
      `'${table}', (SELECT jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text) FROM ${table} t WHERE partner_id = ANY(:partners))`
  )
  const [{ state }] = await rows(
    `SELECT jsonb_build_object(${parts.join(', ')},
       'tickets', (SELECT jsonb_agg(to_jsonb(t) ORDER BY t.id) FROM tickets t JOIN orders o ON o.id = t.order_id WHERE o.partner_id = ANY(:partners)),
       'seats', (SELECT jsonb_agg(to_jsonb(s) ORDER BY s.id) FROM event_seats s WHERE s.event_id = ANY(:events)),
       'deliveries', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.id) FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE e.partner_id = ANY(:partners)),
       'journal', (SELECT count(*) FROM journal j WHERE j.partner_id = ANY(:partners))) AS state`
      .replaceAll(':partners', `'{${partners.join(',')}}'::bigint[]`)
      .replaceAll(':events', `'{${events.join(',')}}'::text[]`)
  )
  return state
}

/** How a request is turned away: by a page that is not there, or back at its form with the reason. */
async function answerTo(client: PageClient, route: string, { path, body = {} }: Attempt) {
  const [method] = route.split(' ')
  if (method === 'GET') {
    const { status, location } = await client.get(path)
    return location ?? status
  }
  await client.get('/account')
  const send = { POST: client.post, PUT: client.put, DELETE: client.delete }[method]!
  const errors = await client.errorsAfter(send(path, body))
  return Object.values(errors).join(', ')
}

/** Answers of their own to what is not there. A released cart and a replay say that they have found nothing. */
const ANSWERS: Record<string, (one: FilledOffice) => string | number> = {
  'GET /events/:id/plan/seats/:space': () => 404,
  // Without a signed link it leads to the page of the run.
  'GET /runs/:id/files/:name': ({ run }) => `${BASE}/runs/${run}`,
  'POST /events/:id/plan/carts/:cart/sales': () => 'refused.BOOKING_EXPIRED',
  'DELETE /events/:id/plan/carts/:cart': () => '',
  'POST /orders/:id/voids': () => 'refused.TICKET_NOT_REFUNDABLE',
  'POST /webhooks/:partner/replay': () => '',
}

test.group('Ids of something of another partner', (group) => {
  let one: FilledOffice
  let other: FilledOffice
  let client: PageClient

  group.setup(async () => {
    await limiter.clear()
    one = await aFilledOffice()
    other = await aFilledOffice()
    client = await signedIn(await aStaffMember('admin'))
  })
  group.each.setup(() => limiter.clear())

  test('every route that names a thing within a thing is asked', ({ assert }) => {
    const routes = Object.values(router.toJSON()).flat()
    const nested = routes
      .filter(({ pattern }) => pattern.startsWith(BASE) && pattern.split(':').length > 2)
      .flatMap(({ methods, pattern }) =>
        methods
          .filter((method) => method !== 'HEAD')
          .map((method) => `${method} ${pattern.slice(BASE.length)}`)
      )
    assert.sameMembers(nested, Object.keys(NESTED))
  })

  test('{$self} answers it as unknown and changes nothing')
    .with([...Object.keys(NESTED), ...Object.keys(IN_FIELDS)])
    .run(async ({ assert }, route) => {
      const ask = NESTED[route] ?? IN_FIELDS[route]
      const before = await stateOf(one, other)

      const answer = await answerTo(client, route, await ask(one, other))

      assert.equal(answer, ANSWERS[route]?.(one) ?? 'refused.NO_SUCH')
      assert.deepEqual(await stateOf(one, other), before)
    })
})
