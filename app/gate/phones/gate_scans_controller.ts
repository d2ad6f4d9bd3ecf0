import type { Verdict } from '#gate/phones/gate_props'
import { gateScansValidator, gateScanValidator } from '#gate/phones/gate_scan_validator'
import { failed, judge } from '#gate/phones/gate_verdict'
import { busyReason } from '#shared/busy'
import type { HttpContext } from '@adonisjs/core/http'
import { errors } from '@vinejs/vine'

/** Scans of a phone, one at a time or a batch made without network: JSON in, a verdict for each. */
export default class GateScansController {
  async store(ctx: HttpContext) {
    const { scans } = await ctx.request.validateUsing(gateScansValidator)
    const verdicts: Verdict[] = []
    // In sequence, because the order of the scans decides which of two was the first.
    for (const scan of scans) verdicts.push(await judgeAlone(scan, ctx))
    return ctx.response.json({ verdicts })
  }
}

/**
 * One scan never fails the others: a phone keeps what failed, and goes on.
 * Only while PostgreSQL is busy the batch fails as a whole (503), and the phone sends all of it later.
 */
async function judgeAlone(scan: unknown, ctx: HttpContext): Promise<Verdict> {
  try {
    const sent = await gateScanValidator.validate(scan)
    return await judge(sent, ctx.auth.use('staff').getUserOrFail(), ctx.actor)
  } catch (error) {
    if (busyReason(error)) throw error
    const isInvalid = error instanceof errors.E_VALIDATION_ERROR
    if (isInvalid) ctx.logger.warn({ problems: rulesOf(error) }, 'a scan was not valid')
    else ctx.logger.error({ err: error }, 'a scan could not be judged')
    return failed(scan, isInvalid ? 'INVALID_SCAN' : 'INTERNAL_ERROR', ctx.requestId)
  }
}

/** Fields and broken rules, without the values that were sent. */
const rulesOf = ({ messages }: InstanceType<typeof errors.E_VALIDATION_ERROR>) =>
  (messages as { field: string; rule: string }[]).map(({ field, rule }) => `${field}: ${rule}`)
