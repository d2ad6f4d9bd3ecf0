import { bookingValidator } from '#partner_api/bookings/bookings_controller'
import { confirmValidator } from '#partner_api/orders/order_confirmations_controller'
import { refundValidator } from '#partner_api/orders/order_refunds_controller'
import { orderValidator } from '#partner_api/orders/orders_controller'
import { check } from '#partner_api/validation'
import { REFUSALS, type RefusalCode } from '#shared/refusals'
import { describedBodies, describedResponse, describedFailures } from '#tests/support/described'
import { paymentOf } from '#tests/support/fixtures'
import { aBooking, anOrder, bookingBody, confirm, orderBody } from '#tests/support/operations'
import type { Answer } from '#tests/support/partner_client'
import { sendRaw } from '#tests/support/raw_request'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readFileSync } from 'node:fs'

type Sale = Awaited<ReturnType<typeof anOrder>>
const NO_ORDER = 'TIX-2026-999999'

/** A request that is answered like the described example of INVALID_PARAMETERS. */
// prettier-ignore
const WRONG_REQUESTS: Record<string, (sale: Sale) => Promise<Answer>> = {
  'GET /events': ({ client }) => client.get('/events?limit=1000'),
  'GET /events/{event_id}': ({ client, event }) => client.get(`/events/${event.id}?lang=ru&lang=kk`),
  'GET /events/{event_id}/seats': ({ client, event }) => client.get(`/events/${event.id}/seats?sector=sector-00000000`),
  'POST /bookings': ({ client, event }) => client.post('/bookings', bookingBody(event.id, { partner_booking_id: undefined, seats: [7] })),
  'POST /orders': ({ client }) => client.post('/orders', orderBody('bkg', { customer: { email: '' }, consent: false })),
  'GET /orders': ({ client }) => client.get('/orders'),
  'POST /orders/{order_id}/confirm': ({ client, order }) => confirm(client, order.order_id as string, paymentOf(25_200)),
  'POST /orders/{order_id}/cancel': ({ client }) => client.post(`/orders/${NO_ORDER}/cancel`, '{'),
  'POST /orders/{order_id}/refund': ({ client }) => client.post(`/orders/${NO_ORDER}/refund`, { ticket_ids: [] }),
}

/** Codes whose message says more than the table of refusals. */
const OWN_MESSAGES = ['INVALID_API_KEY']

const BODY_VALIDATORS = {
  'POST /bookings': bookingValidator,
  'POST /orders': orderValidator,
  'POST /orders/{order_id}/confirm': confirmValidator,
  'POST /orders/{order_id}/refund': refundValidator,
}

/** The error of the guide's JSON example with this code. */
function guideExample(code: string) {
  const guide = readFileSync(app.makePath('docs/api/guide.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```json\n(.*?)^```/gms)].map(([, text]) => text)
  const example = blocks.find((text) => text.includes(`"code": "${code}"`))!
  return (JSON.parse(example) as Answer['json']).error
}

test.group('Examples of the OpenAPI description', () => {
  for (const [name, send] of Object.entries(WRONG_REQUESTS)) {
    test(`${name} is refused with the rules and messages of its example`, async ({ assert }) => {
      const { error } = await send(await anOrder())

      const example = describedResponse(name, 422, 'INVALID_PARAMETERS').error
      assert.equal(error.message, example.message)
      assert.deepEqual(error.details.fields, example.details.fields)
      assert.sameMembers(
        Object.keys(error.details as object),
        Object.keys(example.details as object)
      )
    })
  }

  test('every failure has the message of the table of refusals', ({ assert }) => {
    for (const { code, error } of describedFailures()) {
      assert.equal(error.code, code)
      if (OWN_MESSAGES.includes(code)) continue
      assert.equal(error.message, REFUSALS[code as RefusalCode].message, code)
    }
  })

  test('a uri signed without the prefix gets the message and the hint that the description and the guide show', async ({
    assert,
  }) => {
    const { client } = await aBooking()
    const { error } = await sendRaw(client, { path: '/events', signed: { uri: '/events' } })

    const described = describedFailures().find(({ code }) => code === 'INVALID_SIGNATURE')!.error
    for (const shown of [described, guideExample('INVALID_SIGNATURE')]) {
      assert.equal(error.message, shown.message)
      assert.equal(error.details.hint, shown.details.hint)
    }
  })

  test('every example body is valid for its operation', async ({ assert }) => {
    const bodies = describedBodies()
    assert.sameMembers([...new Set(bodies.map(({ name }) => name))], Object.keys(BODY_VALIDATORS))
    for (const { name, body } of bodies) {
      const validator = BODY_VALIDATORS[name as keyof typeof BODY_VALIDATORS]
      await assert.doesNotReject(() => check(validator as typeof bookingValidator, body))
    }
  })
})

test.group('Repeated JSON keys', () => {
  test('the last value counts, in the body and in nested objects', async ({ assert }) => {
    const { client, booking, event } = await aBooking()
    const again = `{"event_id":"evt_none","event_id":"${event.id}","partner_booking_id":"x","partner_booking_id":"${booking.partner_booking_id}","seats":["seat-2-1","seat-2-2"]}`
    const repeat = await client.post('/bookings', again)
    assert.equal(repeat.status, 200)
    assert.equal(repeat.data.booking_id, booking.booking_id)

    const { client: other, order } = await anOrder()
    const sent = JSON.stringify(paymentOf(24_000)).replace(
      '{"amount_tenge"',
      '{"amount_tenge":1,"amount_tenge"'
    )
    const { status, data } = await other.post(`/orders/${order.order_id}/confirm`, sent)
    assert.equal(status, 200)
    assert.equal(data.payment_info.amount_tenge, 24_000)
  })
})

test.group('Invalid parameters', () => {
  for (const query of [
    '=1&=2',
    '%00=1&%00=2',
    `${'n'.repeat(65)}=1&${'n'.repeat(65)}=2`,
    'цена=1&цена=2',
  ]) {
    test(`a repeated parameter with an unusual name (${query.slice(0, 12)}) is reported as query`, async ({
      assert,
    }) => {
      const { client } = await aBooking()
      const answer = await client.get(`/events?${encodeURI(query).replaceAll('%2500', '%00')}`)
      assert.equal(answer.status, 422)
      assert.deepEqual(answer.error.details.fields, [
        { field: 'query', rule: 'once', message: 'A parameter is given twice' },
      ])
    })
  }
})
