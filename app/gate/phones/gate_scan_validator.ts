import { readInstant } from '#shared/instants'
import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'

const MOST_SCANS = 50
const LONGEST_QR = 3_000
const LONGEST_NUMBER = 40
const LONGEST_CODE = 40
const LONGEST_GATE = 40

/** Reasons for which a phone without network refuses a guest. */
const REFUSED_OFFLINE = [
  'QR_INVALID',
  'TICKET_WRONG_EVENT',
  'TICKET_ALREADY_USED',
  'TICKET_VOID',
  'TICKET_EXPIRED',
] as const

const isInstant = vine.createRule((value: unknown, _: undefined, field: FieldContext) => {
  if (typeof value !== 'string' || !readInstant(value))
    field.report('{{ field }} must be an ISO 8601 date-time in UTC', 'instant', field)
})

/** Each scan is validated by itself, so that one cannot fail the others. An empty batch checks the connection. */
export const gateScansValidator = vine.create({
  scans: vine.array(vine.any().nullable()).maxLength(MOST_SCANS),
})

export const gateScanValidator = vine.create({
  id: vine.string().uuid(),
  eventId: vine.string().maxLength(LONGEST_NUMBER),
  gate: vine.string().trim().maxLength(LONGEST_GATE).nullable(),
  token: vine.string().maxLength(LONGEST_QR).optional(),
  number: vine.string().maxLength(LONGEST_NUMBER).optional(),
  /** The check code that is printed next to the number. */
  code: vine.string().maxLength(LONGEST_CODE).optional(),
  /** Set for a scan that the phone decided without network. */
  offlineAt: vine.string().use(isInstant()).nullable(),
  /** Why the phone refused the guest then. */
  refusedOffline: vine.enum(REFUSED_OFFLINE).nullable(),
})

export type SentScan = Awaited<ReturnType<typeof gateScanValidator.validate>>
