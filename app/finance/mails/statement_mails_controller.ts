import { statementMailValidator } from '#finance/mails/mail_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import QueueStatementMails from '#reporting/mails/actions/queue_statement_mails'
import type { HttpContext } from '@adonisjs/core/http'

export default class StatementMailsController {
  async store(ctx: HttpContext) {
    const { contactIds } = await ctx.request.validateUsing(statementMailValidator)
    const statementId = idOf(ctx, 'statement')
    const sent = await new QueueStatementMails().handle({
      statementId,
      contactIds,
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, 'mails.queued', sent)
  }
}
