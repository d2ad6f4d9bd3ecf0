// Without imports: a drill reads these names without starting the application.
const NAMES = [
  'seat_sold_once',
  'order_totals_agree',
  'ledger_matches_orders',
  'statements_are_chained',
  'documents_are_sealed',
  'statuses_follow_tables',
  'paid_orders_have_tickets',
  'holds_are_swept',
  'news_are_relayed',
  'deliveries_are_in_order',
  'tables_are_guarded',
  'months_are_ahead',
  'journal_is_complete',
  'nothing_has_vanished',
] as const

export type InvariantName = (typeof NAMES)[number]

/** In the order of the board. */
export const INVARIANT_NAMES: InvariantName[] = [...NAMES]

export const isInvariant = (name: unknown): name is InvariantName =>
  (INVARIANT_NAMES as unknown[]).includes(name)
