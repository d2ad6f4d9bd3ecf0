import { checkInTurn } from '#defects/cases/check_period'
import type { RunBody } from '#runs/run_body'

/** Checks a partner's period again. */
const checkPeriod: RunBody<'check_period'> = async ({ from, to }, context) => {
  context.progress({ phase: 'checking', rowsDone: 0, rowsTotal: 0 })
  const { partnerId, signal } = context
  const period = { from: new Date(from), to: new Date(to) }
  const found = await checkInTurn({ partnerId: partnerId!, ...period, signal })
  return { result: found, files: [], hasCommitted: true }
}
export default checkPeriod
