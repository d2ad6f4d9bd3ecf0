import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Checks } from '../checks.ts'
import { Client, PREFIX } from '../client.ts'
import { runTool } from '../tools.ts'
import type { Judge, Product } from '../types.ts'

/** A pre-request script of Postman: signs the request after its variables have been replaced. */
const SIGN = `{
  const { HmacSHA256 } = require('crypto-js')
  const { request, variables } = pm
  const raw = (request.method === 'POST' && request.body && request.body.raw) || ''
  const body = variables.replaceIn(raw)
  if (body) request.body.update({ mode: 'raw', raw: body })
  const query = request.url.getQueryString()
  const path = request.url.getPath() + (query ? '?' + query : '')
  const uri = variables.replaceIn('${PREFIX}' + path)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const message = [timestamp, request.method, uri, body].join('\\n')
  const signature = HmacSHA256(message, variables.get('partnerSecret')).toString()
  request.headers.upsert({ key: 'X-Api-Key', value: variables.get('partnerKey') })
  request.headers.upsert({ key: 'X-Timestamp', value: timestamp })
  request.headers.upsert({ key: 'X-Signature', value: signature })
}`

const OPERATIONS = [
  'GET::/events',
  'GET::/events/{event_id}',
  'GET::/events/{event_id}/seats',
  'GET::/events/{event_id}/jwks.json',
  'POST::/bookings',
  'POST::/orders',
  'GET::/orders',
  'POST::/orders/{order_id}/confirm',
  'POST::/orders/{order_id}/refund',
  'POST::/orders/{order_id}/cancel',
  'GET::/openapi.json',
]

const portman: Judge = {
  name: 'portman',
  about: 'makes a Postman collection with contract tests by Portman and runs it with Newman',
  needs: 'product',
  async run(product) {
    const checks = new Checks()
    const cwd = join(product.scratchDirectory, 'portman')
    await mkdir(cwd)
    await copyFile(product.descriptionFile, join(cwd, 'openapi.yaml'))
    await writeFile(join(cwd, 'portman.json'), JSON.stringify(await settings(product)))

    const made = await runTool(
      '.bin/portman',
      [
        '--local',
        'openapi.yaml',
        '--baseUrl',
        product.apiUrl,
        '--portmanConfigFile',
        'portman.json',
        '--output',
        'collection.json',
      ],
      { cwd }
    )
    if (!checks.expect(made.code === 0, 'Portman makes a collection', made.stdout + made.stderr))
      return checks.verdict

    const { apiKey, secret } = product.partners.bulk
    const ran = await runTool(
      '.bin/newman',
      [
        'run',
        'collection.json',
        '--env-var',
        `partnerKey=${apiKey}`,
        '--env-var',
        `partnerSecret=${secret}`,
        '--reporters',
        'json',
        '--reporter-json-export',
        'report.json',
      ],
      { cwd }
    )
    const report = await readFile(join(cwd, 'report.json'), 'utf8').catch(() => null)
    if (!checks.expect(report !== null, 'Newman runs the collection', ran.stdout + ran.stderr))
      return checks.verdict
    judge(checks, JSON.parse(report!) as Report)
    return checks.verdict
  },
}

interface Report {
  run: { executions: Execution[] }
}
interface Execution {
  item: { name: string }
  response?: { code: number; stream: { data: number[] } }
  assertions?: { assertion: string; error?: { message: string } }[]
}

function judge(checks: Checks, { run: { executions } }: Report) {
  const names = executions.map(({ item }) => item.name)
  checks.expect(executions.length === OPERATIONS.length, 'Newman calls every operation once', names)
  for (const { item, response, assertions = [] } of executions) {
    const seen = `${response?.code} ${Buffer.from(response?.stream.data ?? [])
      .toString()
      .slice(0, 300)}`
    checks.expect(assertions.length > 0, `${item.name} is tested`, seen)
    for (const { assertion, error } of assertions)
      checks.expect(!error, `${item.name}: ${assertion}`, `${error?.message} ${seen}`)
  }
}

/** Portman's settings: the order of the calls, their values, and the assertions on each response. */
async function settings(product: Product) {
  const { eventId, sector, seats, total, orderToCancel } = await prepare(product)
  const all = { openApiOperation: '*::/*' }
  const pathVariable = (key: string, value: string) => ({
    overwriteRequestPathVariables: [{ key, value, overwrite: true }],
  })
  const body = (values: Record<string, unknown>) => ({
    overwriteRequestBody: Object.entries(values).map(([key, value]) => ({
      key,
      value,
      overwrite: true,
    })),
  })
  const query = (key: string, value: string) => ({
    overwriteRequestQueryParams: [{ key, value, overwrite: true, insert: true, disable: false }],
  })
  const partnerOrderId = randomUUID()
  return {
    version: 1,
    globals: {
      collectionPreRequestScripts: [SIGN],
      securityOverwrites: { remove: true },
      orderOfOperations: OPERATIONS,
    },
    tests: {
      contractTests: [
        { ...all, statusSuccess: { enabled: true } },
        { ...all, contentType: { enabled: true } },
        { ...all, jsonBody: { enabled: true } },
        { ...all, schemaValidation: { enabled: true } },
        { ...all, headersPresent: { enabled: true } },
      ],
    },
    assignVariables: [
      assign('POST::/bookings', 'data.booking_id', 'bookingId'),
      assign('POST::/orders', 'data.order_id', 'orderId'),
      assign('POST::/orders/{order_id}/confirm', 'data.tickets[0].ticket_id', 'ticketId'),
    ],
    overwrites: [
      { openApiOperation: 'GET::/events/{event_id}', ...pathVariable('event_id', eventId) },
      {
        openApiOperation: 'GET::/events/{event_id}/jwks.json',
        ...pathVariable('event_id', eventId),
      },
      {
        openApiOperation: 'GET::/events/{event_id}/seats',
        ...pathVariable('event_id', eventId),
        ...query('sector', sector),
      },
      {
        openApiOperation: 'POST::/bookings',
        ...body({ event_id: eventId, partner_booking_id: randomUUID(), seats }),
      },
      {
        openApiOperation: 'POST::/orders',
        ...body({ booking_id: '{{bookingId}}', partner_order_id: partnerOrderId }),
      },
      { openApiOperation: 'GET::/orders', ...query('partner_order_id', partnerOrderId) },
      {
        openApiOperation: 'POST::/orders/{order_id}/confirm',
        ...pathVariable('order_id', '{{orderId}}'),
        ...body({
          'payment_info.amount_tenge': total,
          'payment_info.paid_at': new Date(Date.now() + 5_000).toISOString(),
        }),
      },
      {
        openApiOperation: 'POST::/orders/{order_id}/refund',
        ...pathVariable('order_id', '{{orderId}}'),
        ...body({ ticket_ids: ['{{ticketId}}'] }),
      },
      {
        openApiOperation: 'POST::/orders/{order_id}/cancel',
        ...pathVariable('order_id', orderToCancel),
      },
    ],
  }
}

const assign = (openApiOperation: string, responseBodyProp: string, name: string) => ({
  openApiOperation,
  collectionVariables: [{ responseBodyProp, name }],
})

/** Free seats for the collection, and a separate order for the call that needs an unpaid one. */
async function prepare(product: Product) {
  const client = new Client(product)
  const { bulk } = product.partners
  const eventId = product.events.arena
  const sectors = await client.get(bulk, `/events/${eventId}/seats`)
  const sector = sectors.json.data.at(-1).sector_id as string
  const answer = await client.get(bulk, `/events/${eventId}/seats?sector=${sector}`)
  const free = (answer.json.data as any[]).filter((seat) => seat.is_sellable).slice(0, 3)
  const booked = await client.post(bulk, '/bookings', {
    event_id: eventId,
    partner_booking_id: randomUUID(),
    seats: [free[2].space_id],
  })
  const placed = await client.post(bulk, '/orders', {
    booking_id: booked.json.data.booking_id,
    partner_order_id: randomUUID(),
    customer: { email: 'guest@example.kz' },
    consent: true,
  })
  client.close()
  return {
    eventId,
    sector,
    seats: [free[0].space_id, free[1].space_id],
    total: free[0].price_tenge + free[1].price_tenge,
    orderToCancel: placed.json.data.order_id as string,
  }
}

export default portman
