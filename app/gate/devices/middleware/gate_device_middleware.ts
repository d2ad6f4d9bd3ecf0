import { hasSpentFailures, spendFailure } from '#http/failed_authentication'
import { dropBody, readBody } from '#http/request_body'
import { findGateDevice, isCachedGateKey, type GateDevice } from '#tickets/queries/find_gate_device'
import { AnswerDeadline } from '#shared/answer_deadline'
import { Refusal, refuse, refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    device: GateDevice
  }
}

const BODY_LIMIT_BYTES = 16 * 1024

/** Authenticates a gate device by its key and reads its small JSON body. */
export default class GateDeviceMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const deadline = new AnswerDeadline()
    try {
      ctx.device = await deadline.race(identify(ctx))
      ctx.caller = `gate:${ctx.device.name}`
      ctx.body = await readJson(ctx)
    } catch (refusal) {
      dropBody(ctx.request.request)
      throw refusal
    }
    return deadline.race(next() as Promise<unknown>)
  }
}

/** Unknown keys count as failures of their address; beyond the limit only keys that were seen before are looked up. */
async function identify(ctx: HttpContext): Promise<GateDevice> {
  const key = ctx.request.header('x-gate-key') ?? ''
  const isLookedUp = isCachedGateKey(key) || !hasSpentFailures(ctx)
  const device = isLookedUp ? await findGateDevice(key) : undefined
  if (!device) throw await spendFailure(ctx, new Refusal('INVALID_GATE_KEY'))
  return device
}

async function readJson({ request }: HttpContext): Promise<Record<string, unknown>> {
  const raw = await readBody(request.request, BODY_LIMIT_BYTES)
  if (!raw) refuse('PAYLOAD_TOO_LARGE', { limit_bytes: BODY_LIMIT_BYTES })
  try {
    return Object(JSON.parse(raw.toString())) as Record<string, unknown>
  } catch {
    return refuseField('body', 'json', 'The body is not valid JSON')
  }
}
