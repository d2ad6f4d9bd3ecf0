import { findIssuerAt } from '#ledger/issuer'
import { findStatement } from '#ledger/queries/find_statement'
import { statementNumber } from '#ledger/statement_status'
import { findTermsById } from '#ledger/terms'
import { idOf } from '#staff_area/id_of'
import { languageOf } from '#staff_area/language_of'
import { renderStatementPdf } from '#printing/statement_pdf'
import type { HttpContext } from '@adonisjs/core/http'

/** The act of a statement to print and sign, in the language of the page. */
export default class StatementPdfsController {
  async show(ctx: HttpContext) {
    const statement = await findStatement(idOf(ctx, 'statement'))
    const { partnerId: id, partnerCode: code, partnerName: name } = statement
    const printed = {
      statement,
      partner: { id, code, name },
      terms: await findTermsById.one({ termsId: statement.termsId }),
      issuer: (await findIssuerAt.first({ at: statement.asOf })) ?? null,
    }
    const pdf = await renderStatementPdf(printed, languageOf(ctx))
    ctx.response.header('Content-Type', 'application/pdf')
    ctx.response.header(
      'Content-Disposition',
      `attachment; filename="${statementNumber(statement.number)}.pdf"`
    )
    return ctx.response.send(pdf)
  }
}
