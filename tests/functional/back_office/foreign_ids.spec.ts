import { MEMO_KINDS } from '#ledger/actions/memos'
import { ROWS_ARE } from '#register_reading/register_part'
import { localDay } from '#shared/days'
import { aStaffMember } from '#tests/support/browser'
import { aFilledOffice, type FilledOffice } from '#tests/support/filled_office'
import { signedIn, type PageClient } from '#tests/support/page_client'
import { fieldsThatName } from '#tests/support/form_ids'
import { rows } from '#tests/support/rows'
import limiter from '@adonisjs/limiter/services/main'
import router from '@adonisjs/core/services/router'
import type { RouteJSON } from '@adonisjs/core/types/http'
import { test } from '@japa/runner'

const BASE = '/back-office'
const REASON = 'По просьбе партнёра'
const version = async ({ register }: FilledOffice) => {
  const [found] = await rows('SELECT version FROM partner_registers WHERE id = ?', register)
  return found.version as number
}

/** An agreement that nothing is wrong with. */
const TERMS = {
  validFrom: localDay(new Date(Date.now() + 10 * 86_400_000)),
  period: 'month',
  commissionBp: 500,
  vatBp: 0,
  rounding: 'half_up',
  graceMinutes: 0,
  disputeDays: 10,
  silenceAgrees: false,
  minPaymentTenge: 0,
  penaltyTenge: 0,
  refundEvidenceDays: 10,
  allowsCombinedPayments: false,
  usedTicketsOfCancelledEvents: 'void',
  paymentDays: null,
  legalName: 'ТОО «Аврора»',
  bin: null,
  contractNumber: '17',
  contractDate: null,
  signatory: 'А. Ахметов',
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

/** Forms that name something of another partner in their fields. */
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
  'POST /settlement/:code/terms': (one, other) => ({
    path: `/settlement/${one.code}/terms`,
    body: { ...TERMS, replacesId: Number(other.terms) },
  }),
  'POST /settlement/:code/memos': (one, other) => ({
    path: `/settlement/${one.code}/memos`,
    body: {
      kind: MEMO_KINDS[0],
      amountTenge: 100,
      reason: REASON,
      statementId: Number(other.statement),
    },
  }),
  'PUT /registers/:id/matches': async (one, other) => ({
    path: `/registers/${one.register}/matches`,
    body: { note: 'Наше', cases: [await matchOf(other)] },
  }),
  'POST /registers/:id/sheets': async (one, other) => ({
    path: `/registers/${one.register}/sheets`,
    body: {
      version: await version(one),
      sheets: [{ ...(await fileOfPart(other)), rowsAre: ROWS_ARE[0] }],
    },
  }),
  'POST /registers/:id/left-out-sheets': async (one, other) => ({
    path: `/registers/${one.register}/left-out-sheets`,
    body: { version: await version(one), sheets: [await fileOfPart(other)], reason: REASON },
  }),
  'PUT /registers/:id/source': async (one, other) => ({
    path: `/registers/${one.register}/source`,
    body: { version: await version(one), sourceId: await sourceOf(other) },
  }),
}

/** Why a form that names something in its fields, or takes a file, is not asked here. */
const EXCUSED: Record<string, string> = {
  'PUT /grants': 'names partner and event themselves, within nothing else',
  'POST /events/:id/plan/blocks':
    'a seat is named within its event: seats of both events are called the same',
  'DELETE /events/:id/plan/blocks': 'as above',
  'POST /events/:id/plan/carts': 'as above',
  'POST /events': 'a hall belongs to no partner',
  'POST /halls/check': 'a venue belongs to no partner',
  'POST /halls': 'a venue belongs to no partner',
  'POST /issuer': 'our own details, which belong to no partner',
  'PUT /rules/:id': 'a version of the rules, which hold for all partners',
  'POST /rules/:id/comparisons': 'a version of the rules; the partner is named within nothing else',
  'PUT /cases': 'cases are changed together whosever they are; the owner is one of the staff',
  'PUT /cases/:id': 'the owner is one of the staff',
  'POST /statements/:id/mails': 'needs e-mail: statement_mails.spec.ts',
  'POST /registers/:id/confirmation':
    'agrees to what it is found to replace, all of one source; other numbers in it mean nothing',
  'PUT /default-views/:list':
    'a view belongs to no partner; those of colleagues: saved_views.spec.ts',
  'POST /report-schedules': 'names the partner itself, within nothing else',
  'POST /settlement/:code/registers':
    "takes a file: what_registers_show.spec.ts; another partner's source: register_sources.spec.ts",
  'POST /registers/:id/parts': 'takes a file: what_registers_show.spec.ts',
  'POST /settlement/:code/answers': 'takes a file: answers.spec.ts',
  'POST /runs/file-checks': 'takes a workbook, which names its partner itself',
}

async function sourceOf({ register }: FilledOffice) {
  const [found] = await rows('SELECT source_id FROM partner_registers WHERE id = ?', register)
  return found.source_id as number
}

async function matchOf({ register }: FilledOffice) {
  const [found] = await rows(
    'SELECT id, version FROM partner_register_cases WHERE register_id = ? ORDER BY id LIMIT 1',
    register
  )
  return { caseId: found.id as number, version: found.version as number }
}

async function fileOfPart({ register }: FilledOffice) {
  const [{ sha256 }] = await rows(
    'SELECT sha256 FROM partner_register_parts WHERE register_id = ? ORDER BY number DESC LIMIT 1',
    register
  )
  return { sha256: sha256 as string, sheet: 'Лист1' }
}

/** All that is written about these partners and their events; sessions and requests of pages are not. */
async function stateOf(...offices: FilledOffice[]) {
  const partners = offices.map(({ partner }) => partner.id)
  const events = offices.map(({ event }) => event)
  const counted = [
    'settlement_terms',
    'settlement_allocations',
    'settlement_memos',
    'settlement_requests',
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
  'PUT /registers/:id/matches': () => 'refused.STALE',
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

  const routesOfOffice = () =>
    Object.values(router.toJSON())
      .flat()
      .filter(({ pattern }) => pattern.startsWith(BASE))
  const namesOf = ({ methods, pattern }: RouteJSON) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${pattern.slice(BASE.length)}`)

  test('every route that names a thing within a thing is asked', ({ assert }) => {
    const nested = routesOfOffice()
      .filter(({ pattern }) => pattern.split(':').length > 2)
      .flatMap(namesOf)
    assert.sameMembers(nested, Object.keys(NESTED))
  })

  test('every form that names something in its fields, or takes a file, is asked or excused', ({
    assert,
  }) => {
    const naming = routesOfOffice()
      .filter((route) => fieldsThatName(route).length > 0)
      .flatMap(namesOf)
    assert.sameMembers(naming, [...Object.keys(IN_FIELDS), ...Object.keys(EXCUSED)])
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
