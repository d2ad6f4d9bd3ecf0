import { periodValidator, statementActValidator } from '#finance/settlement/settlement_validators'
import { readContacts, readMails } from '#finance/mails/read_mails'
import { totalsOf } from '#finance/settlement/read_account'
import { triggersOf } from '#finance/settlement/statement_triggers'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { toRun } from '#finance/runs/to_run'
import { languageOf } from '#staff_area/language_of'
import { idOf } from '#staff_area/id_of'
import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import { amountDue } from '#ledger/movements'
import { findStatement, type StatementRef } from '#ledger/queries/find_statement'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { statementNumber } from '#ledger/statement_status'
import { findTermsById, isCarriedOver } from '#ledger/terms'
import type { HttpContext } from '@adonisjs/core/http'

const named = (other: StatementRef | null) =>
  other && { id: other.id, number: statementNumber(other.number) }

export default class StatementsController {
  async show(ctx: HttpContext) {
    const found = await findStatement(idOf(ctx, 'statement'))
    const terms = await findTermsById.one({ termsId: found.termsId })
    const isCarried = isCarriedOver(found.closingTenge, terms)
    return ctx.inertia.render('settlement/statement', {
      ...(await readContacts(found.partnerId)),
      mails: await readMails(found.id),
      statement: {
        ...{ id: found.id, number: statementNumber(found.number), status: found.status },
        ...{ partner: found.partnerCode, partnerName: found.partnerName, lines: found.lines },
        ...{ from: found.from.toISOString(), to: found.to.toISOString(), zone: found.zone },
        ...{ lateLines: found.lateLines, sha256: found.sha256, prevSha256: found.prevSha256 },
        ...{
          prevId: found.prevId,
          issuedAt: found.issuedAt.toISOString(),
          issuedBy: found.issuedBy,
        },
        ...{ disputeUntil: found.disputeUntil.toISOString(), statusNote: found.statusNote },
        ...{ supersedes: named(found.supersedes), supersededBy: named(found.supersededBy) },
        ...{ statusAt: found.statusAt.toISOString(), statusBy: found.statusBy },
        ...{ openingTenge: Number(found.openingTenge), closingTenge: Number(found.closingTenge) },
        ...{ dueTenge: Number(amountDue(found.totals)), paidTenge: Number(found.paidTenge) },
        carriedUnderTenge: isCarried ? Number(terms.minPaymentTenge) : null,
      },
      totals: totalsOf(found.totals),
      triggers: await triggersOf(found),
      // Reads every line of it again.
      wrong: ctx.inertia.defer(() => verifyStatement(found)),
    })
  }

  /** Has the partner's oldest open period closed, as it was seen. */
  async store(ctx: HttpContext) {
    const partnerCode = String(ctx.params.code)
    const period = await ctx.request.validateUsing(periodValidator)
    const run = await new AskForRun().handle({
      ...{ kind: 'close_period', partnerCode, language: languageOf(ctx), actor: ctx.actor },
      params: { partnerCode, ...period },
    })
    return toRun(ctx, run)
  }

  async update(ctx: HttpContext) {
    const { trigger, reason: note } = await ctx.request.validateUsing(statementActValidator)
    const statementId = idOf(ctx, 'statement')
    await new ChangeStatementStatus().handle({ statementId, trigger, note, actor: ctx.actor })
    return redirectWithNotice(ctx, 'settlement.status_changed')
  }
}
