import { noteValidator } from '#finance/settlement/settlement_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { findStatement } from '#ledger/queries/find_statement'
import { statementNumber } from '#ledger/statement_status'
import type { HttpContext } from '@adonisjs/core/http'

export default class StatementWithdrawalsController {
  async store(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(noteValidator)
    const statementId = idOf(ctx, 'statement')
    await new SupersedeStatement().handle({ statementId, reason, actor: ctx.actor })
    const { number } = await findStatement(statementId)
    return redirectWithNotice(ctx, 'settlement.superseded', { number: statementNumber(number) })
  }
}
