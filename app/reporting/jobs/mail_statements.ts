import { mailIssuedStatement } from '#reporting/mails/mail_statement'
import { decideMailing, selectUndecided } from '#reporting/mails/queries/issued_statements'
import { transaction } from '#shared/transaction'

/** Mails statements that were issued to the contacts who get each; what was decided and what is queued appear together. */
export default async function mailStatements(): Promise<void> {
  for (const { id } of await selectUndecided({})) {
    await transaction(async (trx) => {
      const issued = await decideMailing.first({ id }, trx)
      if (issued) await mailIssuedStatement(issued, issued.issuedBy, trx)
    })
  }
}
