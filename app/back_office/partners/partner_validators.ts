import { messages, reason } from '#staff_area/form_fields'
import { LONGEST_WINDOW_SECONDS } from '#partners/settings'
import { isAddressRange } from '#shared/addresses'
import { Refusal, type FieldProblem } from '#shared/refusals'
import { readEndpointUrl } from '#webhooks/address'
import vine, { SimpleMessagesProvider } from '@vinejs/vine'

const LONGEST_NAME = 100
const MOST_ADDRESSES = 50
const LONGEST_ADDRESS = 50
const LONGEST_URL = 1000
const LONGEST_VERSION = 30
const CODE = /^[a-z0-9][a-z0-9_-]{0,63}$/

const whole = (max: number) => vine.number().withoutDecimals().min(1).max(max)

const addressRange = vine.createRule((value, _options, field) => {
  if (typeof value === 'string' && !isAddressRange(value))
    field.report('partners.not_an_address', 'address', field)
})

/** Reports what the core would refuse, with keys of the pages' texts. */
const endpointUrl = vine.createRule((value, _options, field) => {
  try {
    readEndpointUrl(String(value))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [{ rule }] = error.details.fields as FieldProblem[]
    field.report(`partners.url_problems.${rule}`, 'endpoint', field)
  }
})

const limits = {
  requestsPerMinute: whole(1_000_000),
  requestsInFlight: whole(10_000),
  pendingOrders: whole(100_000),
  holdSeconds: whole(LONGEST_WINDOW_SECONDS),
  paymentWindowSeconds: whole(LONGEST_WINDOW_SECONDS),
}
const name = () => vine.string().trim().minLength(2).maxLength(LONGEST_NAME)
const version = () => vine.string().maxLength(LONGEST_VERSION)

export const newPartnerValidator = vine.create({
  code: vine.string().trim().regex(CODE),
  name: name(),
  ...limits,
})
newPartnerValidator.messagesProvider = new SimpleMessagesProvider({
  'required': 'fields.required',
  'minLength': 'fields.too_short',
  'min': 'fields.too_small',
  'maxLength': 'fields.too_long',
  'max': 'fields.too_large',
  'number': 'fields.not_a_number',

  'holdSeconds.max': 'partners.over_a_day',
  'paymentWindowSeconds.max': 'partners.over_a_day',
  'code.regex': 'partners.bad_code',
  'withoutDecimals': 'partners.not_whole',
})

export const limitsValidator = vine.create({
  name: name(),
  ...limits,
  version: version(),
  reason: reason(),
})
limitsValidator.messagesProvider = newPartnerValidator.messagesProvider

export const addressesValidator = vine.create({
  allowedAddresses: vine
    .array(vine.string().trim().maxLength(LONGEST_ADDRESS).use(addressRange()))
    .maxLength(MOST_ADDRESSES),
  version: version(),
  reason: reason(),
})
addressesValidator.messagesProvider = messages

export const statusValidator = vine.create({
  status: vine.enum(['active', 'suspended'] as const),
  reason: reason(),
})
statusValidator.messagesProvider = messages

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d|Z)$/

const toCome = vine.createRule((value, _options, field) => {
  const at = Date.parse(String(value))
  if (!INSTANT.test(String(value)) || Number.isNaN(at))
    field.report('fields.not_a_date', 'instant', field)
  else if (at <= Date.now()) field.report('partners.not_future', 'future', field)
})

export const rotationValidator = vine.create({ expiresAt: vine.string().use(toCome()) })
rotationValidator.messagesProvider = messages

export const endpointValidator = vine.create({
  url: vine.string().trim().maxLength(LONGEST_URL).use(endpointUrl()),
})
endpointValidator.messagesProvider = messages
