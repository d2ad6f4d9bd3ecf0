import { gateScansValidator } from '#back_office/gate/gate_scan_validator'
import { judge, type Verdict } from '#back_office/gate/gate_verdict'
import type { HttpContext } from '@adonisjs/core/http'

/** Scans of a phone, one at once or several that it made without network: JSON in, a verdict for each. */
export default class GateScansController {
  async store(ctx: HttpContext) {
    const { scans } = await ctx.request.validateUsing(gateScansValidator)
    const staff = ctx.auth.use('staff').getUserOrFail()
    const verdicts: Verdict[] = []
    // One after the other: the order in which they were made decides which of two was the first.
    for (const scan of scans) verdicts.push(await judge(scan, staff, ctx.actor))
    return ctx.response.json({ verdicts })
  }
}
