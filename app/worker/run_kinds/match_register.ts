import { matchInSlices, type MatchedRegister } from '#reconciliation/matching/match_register'
import { assertReachable, findRegister } from '#reconciliation/store/find_register'
import { readMatchInput } from '#reconciliation/store/read_match_input'
import { runInSlices, type Sliced } from '#reconciliation/reading/slices'
import { saveMatches } from '#reconciliation/store/save_matches'
import type { RunBody } from '#runs/run_body'

/** Matches a register that was read with our orders. */
const matchRegister: RunBody<'match_register'> = async ({ registerId }, context) => {
  const register = await findRegister(registerId)
  assertReachable(register, 'match')
  const input = await readMatchInput(register, context)
  const rowsTotal = input.rows.length
  context.progress({ phase: 'matching', rowsDone: 0, rowsTotal })
  const matched = await runInSlices(abortable(matchInSlices(input), context.signal))
  await saveMatches(register, matched, context)
  return { result: { registerId, rows: rowsTotal, ...figuresOf(matched) }, files: [] }
}
export default matchRegister

function* abortable<Result>(work: Sliced<Result>, signal: AbortSignal): Sliced<Result> {
  for (;;) {
    signal.throwIfAborted()
    const step = work.next()
    if (step.done) return step.value
    yield
  }
}

const figuresOf = ({ cases, totals }: MatchedRegister) => ({
  cases: cases.length,
  matched: totals.MATCHED.rows,
  suggested: cases.filter(({ isSuggested }) => isSuggested).length,
})
