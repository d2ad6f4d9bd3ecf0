import { refreshInTurn } from '#defects/cases/refresh_defects'
import type { RunBody } from '#runs/run_body'

/** Orders made in `[from, to)`; moments as ISO 8601. */
export interface CheckPeriodParams {
  partnerCode: string
  from: string
  to: string
}

/** Has a period of a partner judged anew. */
const checkPeriod: RunBody<CheckPeriodParams> = async ({ from, to }, context) => {
  context.progress({ phase: 'checking', rowsDone: 0, rowsTotal: 0 })
  const { partnerId, signal } = context
  const period = { from: new Date(from), to: new Date(to) }
  const found = await refreshInTurn({ partnerId: partnerId!, ...period, signal })
  return { result: found, files: [] }
}
export default checkPeriod
