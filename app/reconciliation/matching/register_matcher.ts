import { callThread, startThread } from '#shared/calculation_thread'
import type { FoundFeeRule } from '#reconciliation/matching/fee_rule'
import type {
  ConfirmEvidence,
  MatchCase,
  MatchTotals,
  OurOrder,
} from '#reconciliation/matching/match_case'
import { matchRegister, type MatchInput } from '#reconciliation/matching/match_register'
import type { RegisterRow } from '#register_reading/parse_row'
import { plainText } from '#spreadsheets/cell_text'
import { createHash } from 'node:crypto'

export interface PartnerEvent {
  id: string
  /** In every language. */
  titles: string[]
}

export interface MatchSettings extends Pick<MatchInput, 'period' | 'rowIs' | 'keptFeeRules'> {
  events: readonly PartnerEvent[]
}

/** All of a matching but its cases. */
export interface MatchSummary {
  totals: MatchTotals
  feeRules: FoundFeeRule[]
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

  match({ events, ...settings }: MatchSettings): MatchSummary {
    const { cases, totals, feeRules } = matchRegister({
      rows: this.#rows,
      orders: this.#orders,
      attempts: this.#attempts,
      resolveEvent: eventFinder(events),
      hashEmail,
      ...settings,
    })
    this.#cases = cases
    const suggested = cases.filter(({ isSuggested }) => isSuggested).length
    return { totals, feeRules, cases: cases.length, suggested }
  }

  casesFrom(from: number, size: number): MatchCase[] {
    return this.#cases.slice(from, from + size)
  }
}

/** Finds an event's id by its id or by a title that no other event of the partner has; null otherwise. */
function eventFinder(events: readonly PartnerEvent[]) {
  const found = new Map<string, string | null>()
  const words = (text: string) => plainText(text).toLowerCase()
  for (const { id, titles } of events) {
    for (const title of new Set(titles.map(words))) found.set(title, found.has(title) ? null : id)
    found.set(words(id), id)
  }
  return (text: string) => found.get(words(text)) ?? null
}

/** As PostgreSQL hashes it in `read_our_orders.ts`. */
const hashEmail = (email: string) => createHash('md5').update(email.toLowerCase()).digest('hex')

/** A matcher on a thread of its own. */
export const startMatcher = (signal: AbortSignal) =>
  callThread<RegisterMatcher>(startThread(import.meta.url, './register_matcher_thread'), signal)
