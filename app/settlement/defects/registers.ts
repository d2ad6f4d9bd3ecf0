import {
  finding,
  type CaseFacts,
  type Finding,
  type OrderFacts,
  type Party,
} from '#settlement/defects/facts'
import { chargedBy } from '#settlement/defects/refused_confirms'

/** What a partner's confirmed register says against us, or against itself. */
export interface RegisterFacts {
  code:
    | 'MISSING_AT_PLATFORM'
    | 'MISSING_AT_PARTNER'
    | 'VOID_WITHOUT_REFUND'
    | 'REFUND_WITHOUT_VOID'
    | 'REFUND_SUM_MISMATCH'
  tenge: bigint
  party: Party
  /** Of the register's rows. */
  paymentIds: string[]
  /** Register and lines: where it stands. */
  evidence: string[]
}

/** Rows of a register whose order we never had. */
export interface UnknownMoney extends RegisterFacts {
  /** What the partner calls it. */
  id: string
  at: number
}

const SEVERITY = {
  ...({ MISSING_AT_PLATFORM: 'HIGH', MISSING_AT_PARTNER: 'HIGH' } as const),
  ...({ VOID_WITHOUT_REFUND: 'MEDIUM', REFUND_WITHOUT_VOID: 'HIGH' } as const),
  ...({ REFUND_SUM_MISMATCH: 'MEDIUM' } as const),
}

/** Group G: one finding for each thing that a register says of an order. */
export function againstRegister({ orders, unknown = [] }: CaseFacts): Finding[] {
  const told = [
    ...orders.flatMap((order) => said(order).map((one) => ({ ...one, id: order.id }))),
    ...unknown,
  ]
  return told.map(({ id, code, tenge, party, paymentIds, evidence }) =>
    finding({
      ...{ code, severity: SEVERITY[code], orderId: id, paymentId: paymentIds[0] ?? null },
      ...{ exposureTenge: tenge, exposureParty: tenge > 0n ? party : 'NONE' },
      ...{ fault: code === 'MISSING_AT_PARTNER' ? 'UNKNOWN' : 'PARTNER', evidence },
    })
  )
}

/** For a cancelled event, EVENT_CANCELLED_REFUND_DUE tells what is not yet returned. */
const said = ({ registered = [], voids }: OrderFacts) =>
  registered.filter(
    ({ code }) =>
      code !== 'VOID_WITHOUT_REFUND' || voids.every(({ cause }) => cause !== 'event_cancelled')
  )

/** What registers show to have gone back to buyers of orders that were never paid for. */
export const refundSeenTenge = ({ orders }: CaseFacts) =>
  orders
    .filter(({ confirmedAt }) => confirmedAt === null)
    .reduce((sum, { refundSeenTenge: seen = 0n }) => sum + seen, 0n)

/** Buyers' money that the register shows and no confirm does: what a confirm told of is counted there. */
export function unheardTenge(facts: CaseFacts): bigint {
  const attempts = [...facts.orders.flatMap((order) => order.attempts), ...facts.strays]
  const told = chargedBy(attempts)
  const isUnheard = ({ paymentIds }: RegisterFacts) =>
    paymentIds.length > 0 ? !paymentIds.some((id) => told.has(id)) : told.size === 0
  return sumOf(facts, 'BUYER', isUnheard)
}

/** What the register leaves the partner owing us. */
export const owedTenge = (facts: CaseFacts) => sumOf(facts, 'PLATFORM', () => true)

function sumOf(
  { orders, unknown = [] }: CaseFacts,
  party: Party,
  counts: (one: RegisterFacts) => boolean
) {
  const all = [...orders.flatMap(said), ...unknown]
  return all
    .filter((one) => one.party === party && counts(one))
    .reduce((sum, { tenge }) => sum + tenge, 0n)
}
