export const MOVEMENT_KINDS = [
  ...(['sale', 'refund', 'event_cancel', 'platform_void'] as const),
  ...(['commission', 'commission_reversal', 'vat', 'vat_reversal'] as const),
  ...(['adj_debit', 'adj_credit', 'penalty', 'payment'] as const),
]
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** Of one kind: how many movements, of how many tickets, and their sum in signed tenge (positive: the partner owes us more). */
export interface KindTotal {
  movements: number
  tickets: number
  tenge: bigint
}
export type Totals = Record<MovementKind, KindTotal>

export const noTotals = (): Totals =>
  Object.fromEntries(
    MOVEMENT_KINDS.map((kind) => [kind, { movements: 0, tickets: 0, tenge: 0n }])
  ) as unknown as Totals

export const sumOf = (totals: Totals) =>
  Object.values(totals).reduce((sum, { tenge }) => sum + tenge, 0n)

/** What a period has to be paid for: everything but payments. */
export const turnoverOf = (totals: Totals) => sumOf(totals) - totals.payment.tenge

/** Money travels as decimal digits in JSON. */
export type StoredTotals = Record<string, [movements: number, tickets: number, tenge: string]>

export const toStored = (totals: Totals): StoredTotals =>
  Object.fromEntries(
    MOVEMENT_KINDS.map((kind) => {
      const { movements, tickets, tenge } = totals[kind]
      return [kind, [movements, tickets, String(tenge)]]
    })
  )

export function fromStored(stored: StoredTotals): Totals {
  const totals = noTotals()
  for (const kind of MOVEMENT_KINDS) {
    const [movements, tickets, tenge] = stored[kind] ?? [0, 0, '0']
    totals[kind] = { movements, tickets, tenge: BigInt(tenge) }
  }
  return totals
}
