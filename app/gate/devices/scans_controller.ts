import { PLATFORM_OFFSET_MINUTES } from '#shared/days'
import { atOffset } from '#shared/instants'
import { refuseField } from '#shared/refusals'
import AdmitTicket from '#tickets/admit_ticket/admit_ticket'
import type { HttpContext } from '@adonisjs/core/http'

/** `{ event_id, qr_token }` → the admitted ticket, or a refusal with the reason. */
export default class ScansController {
  async store(ctx: HttpContext) {
    const { qr_token: token, event_id: eventId } = ctx.body
    if (typeof token !== 'string' || token === '')
      refuseField('qr_token', 'string', 'Send the text of the QR code')
    if (typeof eventId !== 'string' || eventId === '')
      refuseField('event_id', 'string', 'Send the event of this gate')

    const { device, requestId } = ctx
    const actor = { kind: 'gate', name: device.name, requestId } as const
    const scanner = { name: device.name, deviceId: device.id }
    const admitted = await new AdmitTicket().handle({ shown: { token }, eventId, scanner, actor })
    const data = {
      verdict: 'admitted',
      ticket_id: admitted.id,
      number: admitted.number,
      sector_name: admitted.sector_name,
      row_label: admitted.row_label,
      seat_label: admitted.seat_label,
      used_at: atOffset(admitted.used_at, PLATFORM_OFFSET_MINUTES),
      gate: device.name,
    }
    return ctx.response.json({ data })
  }
}
