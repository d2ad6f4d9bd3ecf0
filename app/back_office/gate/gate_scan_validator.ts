import vine from '@vinejs/vine'

export const MOST_SCANS = 50
const LONGEST_QR = 3_000
const LONGEST_NUMBER = 40
const LONGEST_GATE = 40

/** Why a phone without network turns a guest away. */
const TOLD = [
  ...['QR_INVALID', 'TICKET_WRONG_EVENT', 'TICKET_ALREADY_USED'],
  ...['TICKET_VOID', 'TICKET_EXPIRED'],
] as const
type Told =
  'QR_INVALID' | 'TICKET_WRONG_EVENT' | 'TICKET_ALREADY_USED' | 'TICKET_VOID' | 'TICKET_EXPIRED'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export const gateScansValidator = vine.create({
  scans: vine
    .array(
      vine.object({
        id: vine.string().uuid(),
        eventId: vine.string().maxLength(LONGEST_NUMBER),
        gate: vine.string().trim().maxLength(LONGEST_GATE).nullable(),
        token: vine.string().maxLength(LONGEST_QR).optional(),
        number: vine.string().maxLength(LONGEST_NUMBER).optional(),
        /** Only of a scan that was judged without network. */
        offlineAt: vine.string().regex(INSTANT).nullable(),
        told: vine.enum(TOLD as unknown as Told[]).nullable(),
      })
    )
    .minLength(1)
    .maxLength(MOST_SCANS),
})

export type SentScan = Awaited<ReturnType<typeof gateScansValidator.validate>>['scans'][number]
