import { callThread, startThread } from '#shared/calculation_thread'
import type { FeeRule } from '#reconciliation/matching/fee_rule'
import { eventFinder, type PartnerEvent } from '#reconciliation/matching/find_event'
import type { Period } from '#reconciliation/matching/judge_rest'
import type { ConfirmEvidence, MatchCase, OurOrder } from '#reconciliation/matching/match_case'
import { matchRegister } from '#reconciliation/matching/match_register'
import type { MatchTotals } from '#reconciliation/matching/match_totals'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import { createHash } from 'node:crypto'

export interface MatchSettings {
  events: readonly PartnerEvent[]
  period: Period
  keptFeeRules?: readonly FeeRule[]
}

/** All of a matching but its cases. */
export interface MatchSummary {
  totals: MatchTotals
  feeRules: FeeRule[]
  cases: number
  suggested: number
}

/** Matches a register that comes in batches, and gives its cases in batches; large ones on a thread of their own. */
export class RegisterMatcher {
  readonly #rows: RegisterRow[] = []
  readonly #orders: OurOrder[] = []
  readonly #attempts: ConfirmEvidence[] = []
  #cases: MatchCase[] = []

  addRows(batch: readonly RegisterRow[]) {
    this.#rows.push(...batch)
  }

  addOrders(batch: readonly OurOrder[]) {
    this.#orders.push(...batch)
  }

  addAttempts(batch: readonly ConfirmEvidence[]) {
    this.#attempts.push(...batch)
  }

  match({ events, period, keptFeeRules }: MatchSettings): MatchSummary {
    const { cases, totals, feeRules } = matchRegister({
      rows: this.#rows,
      orders: this.#orders,
      attempts: this.#attempts,
      resolveEvent: eventFinder(events),
      hashEmail,
      period,
      keptFeeRules,
    })
    this.#cases = cases
    const suggested = cases.filter(({ isSuggested }) => isSuggested).length
    return { totals, feeRules, cases: cases.length, suggested }
  }

  casesFrom(from: number, size: number): MatchCase[] {
    return this.#cases.slice(from, from + size)
  }
}

/** As PostgreSQL hashes it in `read_our_orders.ts`. */
const hashEmail = (email: string) => createHash('md5').update(email.toLowerCase()).digest('hex')

/** A matcher on a thread of its own. */
export const startMatcher = (signal: AbortSignal) =>
  callThread<RegisterMatcher>(startThread(import.meta.url, './register_matcher_thread'), signal)
