import type { Invariant } from '#invariants/invariant'
import type { InvariantName } from '#invariants/invariant_names'
import {
  findBrokenStatements,
  findChangedDocuments,
  findLedgerContradictions,
} from '#invariants/rules/money'
import { findDeliveriesOutOfOrder, findUnrelayedNews } from '#invariants/rules/news'
import { findMissingEntries, findWrongTotals } from '#invariants/rules/orders'
import { findSeatsSoldTwice, findUnsweptHolds } from '#invariants/rules/seats'
import { findForbiddenSteps } from '#invariants/rules/status_steps'
import { findMissingMonths } from '#invariants/rules/months'
import { findUnguardedTables } from '#invariants/rules/tables'
import { findUnusableTickets } from '#invariants/rules/tickets'
import { findVanishedRows } from '#invariants/rules/vanished'
import { DAY_MS, MINUTE_MS } from '#shared/days'

/**
 * What must always be true of our rows. Why each matters is in the pages' texts
 * (`resources/lang/en/invariants.json`), what to do when one is broken in docs/operations.md.
 *
 * That the table of rights covers every route is no row here: routes do not change while the product runs, and
 * `tests/functional/back_office/rights.spec.ts` compares all of them.
 */
// prettier-ignore
export const INVARIANTS = {
  seat_sold_once:          { everyMs: MINUTE_MS,     fullEveryMs: DAY_MS, find: findSeatsSoldTwice },
  order_totals_agree:      { everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS, find: findWrongTotals },
  ledger_matches_orders:   { everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS, find: findLedgerContradictions },
  statements_are_chained:  { everyMs: 5 * MINUTE_MS, fullEveryMs: null,   find: findBrokenStatements },
  documents_are_sealed:    { everyMs: 5 * MINUTE_MS, fullEveryMs: null,   find: findChangedDocuments },
  statuses_follow_tables:  { everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS, find: findForbiddenSteps },
  paid_orders_have_tickets:{ everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS, find: findUnusableTickets },
  holds_are_swept:         { everyMs: MINUTE_MS,     fullEveryMs: null,   find: findUnsweptHolds },
  news_are_relayed:        { everyMs: MINUTE_MS,     fullEveryMs: null,   find: findUnrelayedNews },
  deliveries_are_in_order: { everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS, find: findDeliveriesOutOfOrder },
  tables_are_guarded:      { everyMs: 5 * MINUTE_MS, fullEveryMs: null,   find: findUnguardedTables },
  months_are_ahead:        { everyMs: 5 * MINUTE_MS, fullEveryMs: null,   find: findMissingMonths },
  journal_is_complete:     { everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS, find: findMissingEntries },
  nothing_has_vanished:    { everyMs: 5 * MINUTE_MS, fullEveryMs: DAY_MS, find: findVanishedRows },
} as const satisfies Record<InvariantName, Invariant>
