import { day } from '#staff_area/day_field'
import { messages, reason, rowNumber } from '#staff_area/form_fields'
import { ITEM } from '#ledger/queries/open_items'
import { MEMO_KINDS } from '#ledger/actions/memos'
import { PERIOD_KINDS } from '#ledger/periods'
import { USED_TICKET_POLICIES } from '#ledger/terms'
import { isBin } from '#shared/bin'
import vine from '@vinejs/vine'

const LARGEST_TENGE = 1_000_000_000_000

const tenge = () => vine.number().withoutDecimals().min(1).max(LARGEST_TENGE)
const basisPoints = () => vine.number().withoutDecimals().min(0).max(10_000)
const days = () => vine.number().withoutDecimals().min(0).max(365)
const words = (longest: number) => vine.string().trim().maxLength(longest).nullable()
const binRule = vine.createRule((value, _options, field) => {
  if (!isBin(String(value))) field.report('fields.not_a_bin', 'bin', field)
})
const bin = () => vine.string().trim().use(binRule())

export const termsValidator = vine.create({
  /** The first day, by the venues' clock; null for the first terms, which hold from the beginning. */
  validFrom: day().nullable(),
  period: vine.enum(PERIOD_KINDS),
  commissionBp: basisPoints(),
  vatBp: basisPoints(),
  rounding: vine.enum(['half_up', 'down'] as const),
  graceMinutes: vine.number().withoutDecimals().min(0).max(10_080),
  disputeDays: days(),
  silenceAgrees: vine.boolean(),
  minPaymentTenge: vine.number().withoutDecimals().min(0).max(LARGEST_TENGE),
  penaltyTenge: vine.number().withoutDecimals().min(0).max(LARGEST_TENGE),
  refundEvidenceDays: days(),
  allowsCombinedPayments: vine.boolean(),
  usedTicketsOfCancelledEvents: vine.enum(USED_TICKET_POLICIES),
  paymentDays: days().nullable(),
  legalName: words(200),
  bin: bin().nullable(),
  contractNumber: words(60),
  contractDate: day().nullable(),
  signatory: words(200),
  /** Terms that have not begun, which these replace. */
  replacesId: rowNumber().nullable().optional(),
  /** Whether unusually high rates are meant. */
  isConfirmed: vine.boolean().optional(),
})
termsValidator.messagesProvider = messages

export const memoValidator = vine.create({
  kind: vine.enum(MEMO_KINDS),
  amountTenge: tenge(),
  reason: reason(),
  /** The statement that it corrects. */
  statementId: rowNumber().nullable().optional(),
})
memoValidator.messagesProvider = messages

export const paymentValidator = vine.create({
  bankReference: vine.string().trim().minLength(1).maxLength(60),
  paidOn: day(),
  direction: vine.enum(['from_partner', 'to_partner'] as const),
  amountTenge: tenge(),
  parts: vine.array(vine.object({ statementId: rowNumber(), amountTenge: tenge() })).maxLength(50),
})
paymentValidator.messagesProvider = messages

/** What the bank's document says that takes a payment back. */
export const paymentReversalValidator = vine.create({
  bankReference: vine.string().trim().minLength(1).maxLength(60),
  paidOn: day(),
  reason: reason(),
})
paymentReversalValidator.messagesProvider = messages

export const allocationValidator = vine.create({
  credit: vine.string().regex(ITEM),
  debit: vine.string().regex(ITEM),
  amountTenge: tenge(),
})
allocationValidator.messagesProvider = messages

export const statementActValidator = vine.create({
  trigger: vine.enum(['agree', 'dispute', 'close'] as const),
  reason: reason(),
})
statementActValidator.messagesProvider = messages

const moment = () => vine.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** The period on the form, so that no other one is closed. */
export const periodValidator = vine.create({ from: moment(), to: moment() })
periodValidator.messagesProvider = messages

export const noteValidator = vine.create({ reason: reason() })
noteValidator.messagesProvider = messages

export const issuerValidator = vine.create({
  legalName: vine.string().trim().minLength(1).maxLength(200),
  bin: bin(),
  address: words(300),
  city: words(60),
  signatory: words(200),
  /** The row on the form, so that nobody's change is overwritten. */
  replacesId: rowNumber().nullable(),
})
issuerValidator.messagesProvider = messages
