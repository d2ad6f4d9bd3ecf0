import type { DeclaredTotals } from '#register_reading/declared_totals'
import { onlyPart } from '#register_reading/register_part'
import { RegisterParser } from '#register_reading/parse_register'
import type { TableShape } from '#register_reading/register_table'
import type { OurOrder } from '#reconciliation/matching/match_case'
import { matchRegister, type MatchInput } from '#reconciliation/matching/match_register'
import type { MatchSettings } from '#reconciliation/matching/register_matcher'
import type { MatchRow } from '#reconciliation/matching/match_row'
import type { RawCell, RawRow } from '#spreadsheets/read_table'

export const rawRows = (rows: RawCell[][], from = 1): RawRow[] =>
  rows.map((cells, i) => ({ line: from + i, cells }))

export const at = (text: string) => Date.parse(text)
const NOON = at('2026-09-15T12:00:00Z')

/** A row that was read without fault: a sale of 10,000 tenge by an order's key and its payment. */
export function aRow(line: number, changed: Partial<MatchRow> = {}): MatchRow {
  const row: MatchRow = {
    line,
    orderKey: null,
    orderId: null,
    paymentId: null,
    amountTenge: 10_000n,
    feeTenge: null,
    returnedTenge: 0n,
    at: NOON,
    precision: 'second',
    kind: 'sale',
    isNotPaid: false,
    email: null,
    event: null,
    ticketNumber: null,
    isUnparseable: false,
    problems: [],
    ...changed,
  }
  return { ...row, kind: row.amountTenge !== null && row.amountTenge < 0n ? 'refund' : row.kind }
}

/** The n-th paid order of the period: key `P-n`, payment `X-n`, 10,000 tenge. */
export function anOrder(n: number, changed: Partial<OurOrder> = {}): OurOrder {
  return {
    orderId: `TIX-2026-${String(n).padStart(6, '0')}`,
    partnerOrderId: `P-${n}`,
    externalPaymentId: `X-${n}`,
    totalTenge: 10_000n,
    refundedTenge: 0n,
    status: 'paid',
    paidAt: NOON,
    emailHash: null,
    eventId: 'evt_1',
    statementPeriod: 'this',
    isInPeriod: true,
    leastPriceTenge: changed.totalTenge ?? 10_000n,
    highestPriceTenge: changed.totalTenge ?? 10_000n,
    refundedInPeriodTenge: changed.refundedTenge ?? 0n,
    voids: changed.refundedTenge ? [{ at: NOON, tenge: Number(changed.refundedTenge) }] : null,
    ...changed,
  } as OurOrder
}

export const sold = (line: number, n: number, changed: Partial<MatchRow> = {}) =>
  aRow(line, { orderKey: `P-${n}`, paymentId: `X-${n}`, ...changed })

/** How a register is matched where a test says nothing else. */
export const USUAL_SETTINGS: Omit<MatchSettings, 'events'> = {
  hasOwnPaymentIds: false,
  rowIs: 'payment',
  covers: { sales: true, refunds: true },
  period: { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2040-01-01T00:00:00Z') },
  keptFeeRules: [],
  dayShiftMs: 0,
}
export const USUAL: Omit<MatchInput, 'rows' | 'orders'> = {
  ...USUAL_SETTINGS,
  attempts: [],
  hashEmail: (email) => email,
  resolveEvent: (text) => text,
}

/** `MATCHED EXACT [1] [1]`: category, step, lines and last digits of orders, for every case. */
export async function matched(
  rows: MatchRow[],
  orders: OurOrder[],
  more: Partial<MatchInput> = {}
) {
  const result = matchRegister({ ...USUAL, rows, orders, ...more })
  const matches = result.cases.map(({ category, step, rows: of, orders: ours }) => {
    const lines = of.map(({ line }) => line).join(',')
    const numbers = ours.map(({ orderId }) => Number(orderId.slice(-6))).join(',')
    return `${category} ${step} [${lines}] [${numbers}]`
  })
  return { ...result, lines: matches }
}

/** Parses a register whose rows are all there. */
export function parseRegister(
  rows: Iterable<RawRow>,
  shape: TableShape,
  declared?: Partial<DeclaredTotals>
) {
  const parser = new RegisterParser(shape)
  parser.startPart(onlyPart(shape.headerLine))
  for (const row of rows) parser.add(row)
  return parser.finish(declared)
}
