import { refreshInTurn } from '#defects/cases/refresh_defects'
import type { RunBody } from '#runs/run_body'

/** Applies the rules to a partner's period again. */
const checkPeriod: RunBody<'check_period'> = async ({ from, to }, context) => {
  context.progress({ phase: 'checking', rowsDone: 0, rowsTotal: 0 })
  const { partnerId, signal } = context
  const period = { from: new Date(from), to: new Date(to) }
  const found = await refreshInTurn({ partnerId: partnerId!, ...period, signal })
  return { result: found, files: [], hasCommitted: true }
}
export default checkPeriod
