import { CaseJudge } from '#defects/rule_sets/case_judge'
import { judgeCase } from '#defects/rule_sets/judge_case'
import { FIRST_RULE_SET } from '#defects/rule_sets/rule_sets'
import { LoopTurns } from '#tests/support/loop_turns'
import { paid, row, story } from '#tests/unit/defects/stories'
import { test } from '@japa/runner'

/** The worker's event loop keeps leases and heartbeats. */
const LONGEST_BLOCK_MS = 250

/** Paid orders in a ring, as rows that may each be of two of them confuse all of them; one has a second charge. */
function ringOf(count: number) {
  const idOf = (n: number) => `TIX-2026-${n % count}`
  const orders = Array.from({ length: count }, (_, n) =>
    paid({ id: idOf(n) }, { orderIdSent: idOf(n), paymentId: `pay-${n}` })
  )
  const rows = orders.map((_, n) => row({ orderIds: [idOf(n), idOf(n + 1)], paymentId: null }))
  const second = row({ orderIds: [idOf(0)], paymentId: 'pay-again' })
  return { ...story(orders), registerRows: [...rows, second] }
}

test.group('Judging the stories of a check', () => {
  test('a story of thousands of orders is judged on a thread of its own, alike', async ({
    assert,
  }) => {
    const facts = ringOf(3_000)
    const judge = new CaseJudge(FIRST_RULE_SET)
    const turns = new LoopTurns()
    const judged = await judge.judge(facts)
    turns.stop()
    await judge.end()
    assert.deepEqual(judged, judgeCase(facts, FIRST_RULE_SET))
    assert.equal(judged!.exposure.buyer, 24_000n)
    assert.isBelow(turns.longestMs, LONGEST_BLOCK_MS)
  }).timeout(60_000)

  test('a check that is stopped does not wait for a long story', async ({ assert }) => {
    const stopping = new AbortController()
    const judge = new CaseJudge(FIRST_RULE_SET, stopping.signal)
    const judged = judge.judge(ringOf(3_000))
    stopping.abort(new Error('stopped'))
    await assert.rejects(() => judged, 'stopped')
    await judge.end()
  })
})
