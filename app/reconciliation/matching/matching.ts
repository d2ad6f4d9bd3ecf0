import type { MatchCase, MatchStep, OurOrder, Reason } from '#reconciliation/matching/match_case'
import type { OurOrders } from '#reconciliation/matching/our_orders'
import type { RegisterRow } from '#reconciliation/reading/parse_row'

/** A row that was found to belong to an order. */
export interface Claim {
  row: RegisterRow
  step: MatchStep
  why: Reason[]
}

/** Rows with several orders that they could belong to. */
export interface Undecided {
  rows: RegisterRow[]
  orders: readonly OurOrder[]
  why: Reason[]
}

/** How far a matching has come; each step takes rows from `left` and puts them where they belong. */
export class Matching {
  readonly claims = new Map<OurOrder, Claim[]>()
  /** Orders that stand in a case, or may belong to an undecided row. */
  readonly taken = new Set<OurOrder>()
  /** Orders that stand in a case without having claims of their own. */
  readonly settled = new Set<OurOrder>()
  readonly conflicts: Undecided[] = []
  readonly ambiguous: Undecided[] = []
  /** Rows whose payment is shared by several orders. */
  readonly shared = new Map<string, RegisterRow[]>()
  /** Unpaid orders that rows were traced to by repaired identifiers. */
  readonly tracedToUnpaid = new Map<RegisterRow, OurOrder>()
  readonly cases: MatchCase[] = []
  left: RegisterRow[] = []

  constructor(readonly ours: OurOrders) {}

  claim(order: OurOrder, claim: Claim) {
    const claims = this.claims.get(order)
    if (claims) claims.push(claim)
    else this.claims.set(order, [claim])
    this.taken.add(order)
  }

  settle(order: OurOrder) {
    this.settled.add(order)
    this.taken.add(order)
  }

  leaveUndecided(row: RegisterRow, orders: readonly OurOrder[]) {
    const orderIds = orders.map(({ orderId }) => orderId)
    const why: Reason[] = [{ code: 'SEVERAL_CANDIDATES', detail: { orderIds } }]
    this.ambiguous.push({ rows: [row], orders, why })
  }
}
