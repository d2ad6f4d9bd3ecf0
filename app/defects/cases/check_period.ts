import {
  IS_ABANDONED,
  mergeAbandonedCases,
  type CheckedCases,
} from '#defects/cases/abandoned_cases'
import { CaseWriter } from '#defects/cases/case_writer'
import CheckConduct from '#defects/conduct/check_conduct'
import { CaseJudge } from '#defects/rule_sets/case_judge'
import type { RuleSet } from '#defects/rule_sets/rule_sets'
import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { DayTallies } from '#defects/conduct/day_tallies'
import { keepEvidence, readingPeriod, readStories, type Story } from '#defects/facts/read_stories'
import { Refusal, refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { setTimeout as delay } from 'node:timers/promises'

export interface CheckPeriodInput {
  partnerId: number
  /** Orders made in [from, to). */
  from: Date
  to: Date
  /** Also checks the partner's conduct in these months; true by default. */
  withConduct?: boolean
  signal?: AbortSignal
}

const RETRY_MS = 500

const markGoneCases = statement<object, CheckedCases>(
  'settlement_cases_gone',
  `UPDATE settlement_cases c SET gone_at = clock_timestamp() WHERE ${IS_ABANDONED}`
)

/** The first key of the lock, an arbitrary number: the second one is the partner's id. Nothing else locks with two keys. */
const CHECK_LOCK_SPACE = 20_251
const lockPartner = statement<{ isOurs: boolean }, { lockSpace: number; partnerId: number }>(
  'settlement_defects_lock',
  'SELECT pg_try_advisory_xact_lock(:lockSpace, :partnerId) AS "isOurs"'
)

/**
 * Applies the rules to a partner's period and stores the cases; what people have written on a case stays. Idempotent: cases are
 * found by their keys. Refuses CHECK_IS_RUNNING during another check of the partner, whose older snapshot could overwrite newer
 * results. Uses two connections: one reads and holds that lock, the other writes.
 */
export default class CheckPeriod {
  async handle(input: CheckPeriodInput) {
    await keepEvidence(input.partnerId, input.signal)
    return readingPeriod(async (trx) => {
      const { partnerId } = input
      const { isOurs } = await lockPartner.one({ lockSpace: CHECK_LOCK_SPACE, partnerId }, trx)
      if (!isOurs) refuse('CHECK_IS_RUNNING')
      return check(input, await activeRuleSet(trx), trx)
    }, input.signal)
  }
}

/** The same, but returns undefined during another check of the partner. */
export async function checkUnlessRunning(input: CheckPeriodInput) {
  try {
    return await new CheckPeriod().handle(input)
  } catch (error) {
    if (!(error instanceof Refusal && error.refusalCode === 'CHECK_IS_RUNNING')) throw error
  }
}

/** The same, but waits for another check of the partner to end: its snapshot may be too old. */
export async function checkInTurn(input: CheckPeriodInput) {
  for (;;) {
    const found = await checkUnlessRunning(input)
    if (found) return found
    await delay(RETRY_MS, undefined, { signal: input.signal })
  }
}

async function check(
  { partnerId, from, to, withConduct = true, signal }: CheckPeriodInput,
  ruleSet: RuleSet,
  trx: TransactionClientContract
) {
  const asOf = new Date()
  const writer = new CaseWriter({ partnerId, ruleSetVersion: ruleSet.version, asOf }, signal)
  const tallies = new DayTallies({ partnerId, from, to, signal })
  const judge = new CaseJudge(ruleSet, signal)
  const listener = {
    order: tallies.count,
    ordinaryOrders: tallies.add,
    story: async (story: Story) => {
      const judged = await judge.judge(story.facts)
      if (judged) await writer.add({ ...story, judged })
    },
  }
  const scope = { partnerId, from, to, asOf, withOlder: true }
  const { orders, older } = await readStories(scope, listener, trx).finally(() =>
    Promise.allSettled([judge.end(), writer.whenIdle()])
  )
  await writer.end()
  const checked = { partnerId, from, to, asOf, older }
  await mergeAbandonedCases(checked, writer.parted, signal)
  await markGoneCases(checked)
  await tallies.save()
  if (withConduct) await new CheckConduct().handle({ partnerId, from, to, asOf, ruleSet, signal })
  return { orders, cases: writer.count }
}
