import type { Verdict } from '#gate/phones/gate_props'
import { gateScansValidator, gateScanValidator } from '#gate/phones/gate_scan_validator'
import { failedVerdict, decideScan } from '#gate/phones/gate_verdict'
import { busyReason } from '#shared/busy'
import type { HttpContext } from '@adonisjs/core/http'
import { errors } from '@vinejs/vine'

/** Scans of a phone, one at a time or several that it made without network: returns a verdict for each. */
export default class GateScansController {
  async store(ctx: HttpContext) {
    const { scans } = await ctx.request.validateUsing(gateScansValidator)
    const verdicts: Verdict[] = []
    // In sequence, because of two scans of one ticket the first one admits.
    for (const scan of scans) verdicts.push(await answerScan(scan, ctx))
    return ctx.response.json({ verdicts })
  }
}

/**
 * One scan never fails the others: the phone keeps a failed scan for staff to decide.
 * Only while PostgreSQL is busy, the whole batch fails (503), and the phone sends it again later.
 */
async function answerScan(scan: unknown, ctx: HttpContext): Promise<Verdict> {
  try {
    const sent = await gateScanValidator.validate(scan)
    return await decideScan(sent, ctx.auth.use('staff').getUserOrFail(), ctx.actor)
  } catch (error) {
    if (busyReason(error)) throw error
    const isInvalid = error instanceof errors.E_VALIDATION_ERROR
    if (isInvalid) ctx.logger.warn({ problems: rulesOf(error) }, 'a scan was not valid')
    else ctx.logger.error({ err: error }, 'a scan has no decision')
    return failedVerdict(scan, isInvalid ? 'INVALID_SCAN' : 'INTERNAL_ERROR', ctx.requestId)
  }
}

/** Fields and broken rules, without the values that were sent. */
const rulesOf = ({ messages }: InstanceType<typeof errors.E_VALIDATION_ERROR>) =>
  (messages as { field: string; rule: string }[]).map(({ field, rule }) => `${field}: ${rule}`)
