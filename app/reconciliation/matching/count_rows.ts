import type { RegisterRow } from '#register_reading/parse_row'
import { foldId, lostDigitsOf } from '#register_reading/read_id'
import type { RowMeaning } from '#register_reading/read_kind'

/** Rows whose money counts, and rows that only repeat one of them. */
export interface CountedRows {
  counted: RegisterRow[]
  repeats: { row: RegisterRow; line: number }[]
}
/** What our orders cost, and what was refunded of them. */
export interface Expected {
  salesTenge: bigint
  refundsTenge: bigint
}

/**
 * Equal rows are one payment written again, unless a row is a ticket, or our orders cost as much as several of them.
 *
 * Example, of an order of 24,000 with two tickets:
 *   2 | order 1 | payment A | 12,000
 *   3 | order 1 | payment A | 12,000
 *   4 | order 1 | payment A | 12,000
 *   a row is a ticket             36,000 count
 *   a row is an order or payment  lines 2 and 3 count: as much as the order costs; line 4 repeats line 2
 */
export function countRows(
  rows: readonly RegisterRow[],
  rowIs: RowMeaning,
  expected: Expected
): CountedRows {
  if (rowIs === 'ticket' || rows.length === 1) return { counted: [...rows], repeats: [] }
  const firsts = firstLines(rows)
  const isFirst = (row: RegisterRow) => firsts.get(row) === row.line
  const counted = new Set(rows.filter(isFirst))
  const room = roomFor(expected, counted)
  const repeats = rows.flatMap((row) => {
    if (counted.has(row)) return []
    const tenge = row.kind === 'sale' ? row.amountTenge! : -row.amountTenge!
    if (tenge > room[row.kind]) return { row, line: firsts.get(row)! }
    room[row.kind] -= tenge
    counted.add(row)
    return []
  })
  return { counted: rows.filter((row) => counted.has(row)), repeats }
}

/** What our orders cost beyond these rows. */
function roomFor(expected: Expected, rows: Iterable<RegisterRow>) {
  const room = { sale: expected.salesTenge, refund: expected.refundsTenge }
  for (const { kind, amountTenge } of rows)
    room[kind] -= kind === 'sale' ? amountTenge! : -amountTenge!
  return room
}

/** Row → the line of the first row that is equal to it. */
function firstLines(rows: readonly RegisterRow[]) {
  const lines = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      if (!isIdentified(row)) return [row, row.line]
      const content = contentOf(row)
      const line = lines.get(content) ?? row.line
      lines.set(content, line)
      return [row, line]
    })
  )
}

/** Rows without a reliable identifier may be different payments, however equal they are. */
const isIdentified = (row: RegisterRow) =>
  idsOf(row).some((id) => id !== null && lostDigitsOf(id) === null)

const idsOf = ({ orderKey, orderId, paymentId, ticketNumber }: RegisterRow) => [
  orderKey,
  orderId,
  paymentId,
  ticketNumber,
]

const contentOf = (row: RegisterRow) =>
  [
    ...idsOf(row).map((id) => (id === null ? '' : foldId(id))),
    row.kind,
    row.amountTenge,
    row.at?.getTime(),
    row.email,
    row.event,
  ].join('\u0001')
