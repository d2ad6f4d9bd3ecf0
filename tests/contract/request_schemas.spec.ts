import { bookingValidator } from '#partner_api/bookings/bookings_controller'
import { confirmValidator } from '#partner_api/orders/order_confirmations_controller'
import { refundValidator } from '#partner_api/orders/order_refunds_controller'
import { orderQueryValidator, orderValidator } from '#partner_api/orders/orders_controller'
import { describedRequest } from '#tests/support/described'
import { test } from '@japa/runner'

type Json = Record<string, any>

// prettier-ignore
const COMPARED = [
  'type', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minimum', 'maximum', 'enum',
]

/** What both sides can say: types, characters, lengths, counts, amounts, values and required keys. */
function essence(schema: Json): Json {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  const whole: Json = { ...schema, enum: values }
  // A form says more than that there is something.
  if (schema.format || whole.minLength === 0) delete whole.minLength
  if (whole.type === 'boolean') delete whole.enum
  if (whole.enum) delete whole.type
  const kept = Object.entries(whole).filter(
    ([key, value]) => COMPARED.includes(key) && value !== undefined
  )
  return {
    ...Object.fromEntries(kept),
    ...(schema.items && { items: essence(schema.items as Json) }),
    ...(schema.properties && {
      required: [...new Set<string>(schema.required ?? [])].sort(),
      properties: Object.fromEntries(
        Object.entries(schema.properties as Json).map(([key, value]) => [
          key,
          essence(value as Json),
        ])
      ),
    }),
  }
}

const validators = {
  'POST /bookings': bookingValidator,
  'POST /orders': orderValidator,
  'GET /orders': orderQueryValidator,
  'POST /orders/{order_id}/confirm': confirmValidator,
  'POST /orders/{order_id}/refund': refundValidator,
}

test.group('Request schemas', () => {
  for (const [name, validator] of Object.entries(validators)) {
    test(`${name} validates the described fields`, ({ assert }) => {
      const checked = essence(validator.toJSONSchema() as Json)
      assert.deepEqual(checked, essence(describedRequest(name)))
    })
  }
})
