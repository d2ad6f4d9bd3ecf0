import { judgeCase, type JudgedCase } from '#defects/rule_sets/judge_case'
import { ruleSetOf, type RuleSet } from '#defects/rule_sets/rule_sets'
import type { CaseFacts } from '#defects/facts/facts'
import { callThread, startThread } from '#shared/calculation_thread'

/** What the thread serves: a rule set has functions, which cannot be sent, so it is named by its version. */
export class JudgeByVersion {
  judge = (facts: CaseFacts, version: number): JudgedCase | null =>
    judgeCase(facts, ruleSetOf(version))
}

/** Orders, confirms and rows of a story from which on it would keep the event loop for longer than other work can wait. */
const LARGE = 200

/**
 * Judges the stories of one check: nearly all in place, in microseconds, and large ones on a thread of their own, which is
 * started for the first of them.
 */
export class CaseJudge {
  #thread?: ReturnType<typeof callThread<JudgeByVersion>>

  constructor(
    private readonly ruleSet: RuleSet,
    private readonly signal?: AbortSignal
  ) {}

  async judge(facts: CaseFacts): Promise<JudgedCase | null> {
    if (sizeOf(facts) < LARGE) return judgeCase(facts, this.ruleSet)
    this.#thread ??= callThread(startThread(import.meta.url, './case_judge_thread'), this.signal)
    return this.#thread.remote.judge(facts, this.ruleSet.version)
  }

  async end() {
    await this.#thread?.end()
  }
}

function sizeOf({ orders, confirmsOfUnknownOrders, registerRows }: CaseFacts) {
  const attempts = orders.reduce((sum, order) => sum + order.attempts.length, 0)
  return orders.length + attempts + confirmsOfUnknownOrders.length + registerRows.length
}
