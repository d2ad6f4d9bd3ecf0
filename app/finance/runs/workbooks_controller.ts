import { redirectToRun } from '#finance/redirect_to_run'
import { workbookValidator } from '#finance/runs/run_validators'
import { findStatement } from '#ledger/queries/find_statement'
import { periodOfDays } from '#shared/days'
import { refuse, refuseField } from '#shared/refusals'
import RequestDocument from '#workbooks/document/request_document'
import type { HttpContext } from '@adonisjs/core/http'

export default class WorkbooksController {
  /** Asks for the workbook of a statement, or for a draft of a range of days. */
  async store(ctx: HttpContext) {
    const { language, hasTwins, ...asked } = await ctx.request.validateUsing(workbookValidator)
    const partnerCode = String(ctx.params.code)
    const scope = await this.#scopeOf(partnerCode, asked)
    const run = await new RequestDocument().handle({
      kind: 'workbook',
      partnerCode,
      language,
      actor: ctx.actor,
      params: { partnerCode, hasTwins, ...scope },
    })
    return redirectToRun(ctx, run)
  }

  async #scopeOf(
    partnerCode: string,
    { statementId, from, to }: { statementId?: number; from?: string; to?: string }
  ) {
    if (statementId !== undefined) {
      const found = await findStatement(statementId)
      if (found.partnerCode !== partnerCode) refuse('NO_SUCH', { what: 'statement' })
      return { statementId }
    }
    if (!from) refuseField('from', 'required', 'fields.required')
    if (!to) refuseField('to', 'required', 'fields.required')
    if (from > to) refuseField('to', 'after', 'runs.ends_before')
    const period = periodOfDays({ from, to })
    return { from: period.from.toISOString(), to: period.to.toISOString() }
  }
}
