import { RegisterMatcher } from '#reconciliation/matching/register_matcher'
import { startMatcher } from '#reconciliation/matching/register_matcher'
import {
  assertReachable,
  findRegister,
  type PartnerRegister,
} from '#reconciliation/store/find_register'
import { feedMatcher, isLargeMatching, type Matcher } from '#reconciliation/store/read_match_input'
import { saveMatches } from '#reconciliation/store/save_matches'
import type { RunBody, RunContext } from '#runs/run_body'

/** Matches the rows of a register with our orders. */
const matchRegister: RunBody<'match_register'> = async ({ registerId }, context) => {
  const register = await findRegister(registerId)
  assertReachable(register, 'match')
  if (!(await isLargeMatching(register))) return matchWith(new RegisterMatcher(), register, context)
  const thread = startMatcher(context.signal)
  try {
    return await matchWith(thread.remote, register, context)
  } finally {
    await thread.end()
  }
}
export default matchRegister

async function matchWith(matcher: Matcher, register: PartnerRegister, context: RunContext) {
  const settings = await feedMatcher(matcher, register, context)
  const rows = register.control?.rowsIn ?? 0
  context.progress({ phase: 'matching', rowsDone: 0, rowsTotal: rows })
  context.signal.throwIfAborted()
  const summary = await matcher.match(settings)
  await saveMatches(register, matcher, summary, context)
  const { cases, suggested, totals } = summary
  const result = { registerId: register.id, rows, cases, matched: totals.MATCHED.rows, suggested }
  return { result, files: [], hasCommitted: true }
}
