import IssueStatement from '#ledger/actions/issue_statement'
import { findStatementOfPeriod } from '#ledger/queries/find_statement'
import RequestDocument from '#workbooks/document/request_document'
import type { RunBody } from '#runs/run_body'
import { statementNumber } from '#ledger/statement_status'

/** Closes a partner's oldest open period and requests the workbook of its statement. */
const closePeriod: RunBody<'close_period'> = async ({ partnerCode, ...days }, context) => {
  const { actor, language, partnerId, signal } = context
  const period = { from: new Date(days.from), to: new Date(days.to) }
  context.progress({ phase: 'closing', rowsDone: 0, rowsTotal: 0 })
  // An earlier attempt that died may have closed it.
  const closed = await findStatementOfPeriod(partnerId!, period)
  const { statementId, number } =
    closed ?? (await new IssueStatement().handle({ partnerCode, period, actor, signal }))
  const { runId: workbookRun } = await new RequestDocument().handle({
    kind: 'workbook',
    partnerCode,
    language,
    actor,
    params: { partnerCode, statementId, hasTwins: true },
  })
  const statement = statementNumber(number)
  return { result: { statementId, statement, workbookRun }, files: [], hasCommitted: true }
}
export default closePeriod
