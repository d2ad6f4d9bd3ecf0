/**
 * Totals of a statement's movements by kind, in signed tenge: positive when the partner owes us more.
 *
 * Movements are written in the transaction of what causes them: by the triggers `move_sale` and `move_void` of migration 8 for
 * sales, returns and their charges; by the closing of a period for what rounding once changes; by `completeCharges` for charges of what was sold before the first terms; by the actions of
 * memos and payments.
 *
 * Example: opening balance 50,000.
 *   sale        +36,000  3 tickets
 *   commission   -3,600
 *   payment     -20,000
 * Net movement 12,400, so the closing balance is 62,400.
 * Amount due for the period 32,400: everything but the payment.
 */
import { sumTenge } from '#shared/sums'

export const MOVEMENT_KINDS = [
  'sale',
  'refund',
  'event_cancel',
  'platform_void',
  'commission',
  'commission_reversal',
  'vat',
  'vat_reversal',
  'commission_rounding',
  'vat_rounding',
  'adj_debit',
  'adj_credit',
  'penalty',
  'payment',
] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** Movements that give back the price of a voided ticket. */
export const VOID_KINDS = [
  'refund',
  'event_cancel',
  'platform_void',
] as const satisfies readonly MovementKind[]

/** A movement as a line of a statement. */
export interface StatementLine {
  kind: MovementKind
  amount: string
  tickets: number
  isLate: boolean
  /** What is hashed: a JSON array of the movement's fields. */
  canonical: string
}

/** The movements of one kind: their number, their tickets and their sum in signed tenge. */
export interface KindTotal {
  movements: number
  tickets: number
  tenge: bigint
}
export type Totals = Record<MovementKind, KindTotal>

export const zeroTotals = (): Totals =>
  Object.fromEntries(
    MOVEMENT_KINDS.map((kind) => [kind, { movements: 0, tickets: 0, tenge: 0n }])
  ) as unknown as Totals

/** By how much a period changes the balance: the closing balance less the opening one. */
export const netMovement = (totals: Totals) => sumTenge(Object.values(totals), ({ tenge }) => tenge)

/**
 * What has to be paid for a period: its movements without payments. Negative when we owe the partner. Whether it is carried over
 * is judged by the cumulative closing balance (`isCarriedOver`), and only shown: the amount due stays payable.
 */
export const amountDue = (totals: Totals) => netMovement(totals) - totals.payment.tenge

/** What the closing of a period adds, so that shares are rounded once (ADR 18); such a line belongs to its statement alone. */
export const ROUNDING_KINDS = ['commission_rounding', 'vat_rounding'] as const
const isRounding = (kind: MovementKind) => ROUNDING_KINDS.some((one) => one === kind)

/** The kinds that a document lists: those of rounding only where something was rounded. */
export const listedKinds = (totals: Totals) =>
  MOVEMENT_KINDS.filter((kind) => !isRounding(kind) || totals[kind].movements > 0)

/** Totals as JSON in the database, which writes money as decimal digits. */
export type StoredTotals = Record<string, [movements: number, tickets: number, tenge: string]>

export const toStoredTotals = (totals: Totals): StoredTotals =>
  Object.fromEntries(
    MOVEMENT_KINDS.map((kind) => {
      const { movements, tickets, tenge } = totals[kind]
      return [kind, [movements, tickets, String(tenge)]]
    })
  )

export function fromStoredTotals(stored: StoredTotals): Totals {
  const totals = zeroTotals()
  for (const kind of MOVEMENT_KINDS) {
    const [movements, tickets, tenge] = stored[kind] ?? [0, 0, '0']
    totals[kind] = { movements, tickets, tenge: BigInt(tenge) }
  }
  return totals
}
