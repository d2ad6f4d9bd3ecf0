import type { ServerProps } from '#staff_area/page_props'
import type {
  GateDeviceLine,
  GateDevicesPage,
  IssuedDevice,
} from '#back_office/gate_devices/gate_devices_props'
import { messages, reason } from '#staff_area/form_fields'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { flashSecret, takeFlashedSecret } from '#staff_area/flash_secret'
import { statement } from '#shared/statement'
import CreateGateDevice from '#tickets/actions/create_gate_device'
import RevokeGateDevice from '#tickets/actions/revoke_gate_device'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const LONGEST_NAME = 60

const deviceValidator = vine.create({
  name: vine.string().trim().minLength(2).maxLength(LONGEST_NAME),
})
deviceValidator.messagesProvider = messages
const revocationValidator = vine.create({ reason: reason() })
revocationValidator.messagesProvider = messages

const listGateDevices = statement<GateDeviceLine>(
  'back_office_gate_devices',
  `SELECT d.id, d.name, d.created_at AS "createdAt", d.revoked_at AS "revokedAt",
          (SELECT scanned_at FROM ticket_scans WHERE gate_device_id = d.id ORDER BY id DESC LIMIT 1) AS "lastScanAt"
     FROM gate_devices d ORDER BY d.revoked_at IS NOT NULL, d.name`
)

export default class GateDevicesController {
  async index(ctx: HttpContext) {
    const devices = await listGateDevices({})
    return ctx.inertia.render('gate/devices', {
      devices,
      issued: takeFlashedSecret<IssuedDevice>(ctx),
    } satisfies ServerProps<GateDevicesPage>)
  }

  async store(ctx: HttpContext) {
    const { name } = await ctx.request.validateUsing(deviceValidator)
    const { key } = await new CreateGateDevice().handle({ name, actor: ctx.actor })
    flashSecret(ctx, { name, key } satisfies IssuedDevice)
    return redirectWithNotice(ctx, 'gate.device_created', { name })
  }

  async destroy(ctx: HttpContext) {
    const { reason: why } = await ctx.request.validateUsing(revocationValidator)
    const deviceId = Number(ctx.params.id)
    await new RevokeGateDevice().handle({ deviceId, reason: why, actor: ctx.actor })
    return redirectWithNotice(ctx, 'gate.device_revoked')
  }
}
