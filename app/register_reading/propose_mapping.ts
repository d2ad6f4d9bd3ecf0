import { columnShapes, type ColumnShape, type KnownIds } from '#register_reading/column_shape'
import {
  meaningOfHeader,
  REGISTER_FIELDS,
  type RegisterField,
} from '#register_reading/header_words'
import type { RawRow } from '#spreadsheets/read_table'
import type { ColumnMapping } from '#register_reading/register_table'
import {
  applyRemembered,
  type RememberedMapping,
  type RememberedRefusal,
} from '#register_reading/remembered_mapping'

/**
 * Proposes which column holds which field: the evidence of header, values and known ids is combined as independent
 * probabilities (noisy-OR), then columns are assigned greedily, the surest first.
 *
 * Example:
 *   Order | Paid             | Total  | Net         Order: header 0.9, unique words 0.3 → 1 − 0.1 × 0.7  = 0.93 partnerOrderId
 *   P-101 | 2026-09-30 14:05 | 10 000 | 9 500       Paid:  header 0.9, moments 0.5      → 1 − 0.1 × 0.5  = 0.95 paidAt
 *   P-102 | 2026-09-30 14:20 | 25 000 | 23 750      Total: header 0.9, amounts 0.4      → 1 − 0.1 × 0.6  = 0.94 amount
 *                                                   Net:   a known header of no field: amounts alone do not count
 */

/** Evidence for a field in a column, or against the meaning of its header. */
export interface Ground {
  by: 'HEADER' | 'PART_OF_HEADER' | 'SHAPE' | 'SHAPE_DISAGREES' | 'KNOWN_IDS' | 'REMEMBERED'
  /** The header's phrase, or a share of the values. */
  found: string | number
}

export interface ProposedColumn {
  field: RegisterField
  column: number
  header: string
  /** From 0 to 1. */
  confidence: number
  grounds: Ground[]
}

export interface ProposedMapping {
  columns: ProposedColumn[]
  mapping: ColumnMapping
  remembered: 'APPLIED' | 'NONE' | RememberedRefusal
}

export interface MappingInput {
  headers: readonly string[]
  /** The first rows under the header. */
  rows: readonly RawRow[]
  /** The platform's prefix of order numbers, such as `TIX`. */
  prefix: string
  knownIds?: KnownIds
  remembered?: RememberedMapping
}

const LEAST_CONFIDENCE = 0.25

/** Share of values with the field's shape, and the confidence that such a shape gives. Fields of free text have no shape. */
const BY_SHAPE: Partial<
  Record<RegisterField, (shape: ColumnShape) => [share: number, worth: number]>
> = {
  orderId: ({ orderIds }) => [orderIds, 0.95],
  ticketNumber: ({ ticketNumbers }) => [ticketNumbers, 0.95],
  email: ({ emails }) => [emails, 0.9],
  paidAt: ({ moments }) => [moments, 0.5],
  createdAt: ({ moments }) => [moments, 0.3],
  amount: ({ amounts, moments }) => [moments > 0.5 ? 0 : amounts, 0.4],
  fee: ({ amounts }) => [amounts, 0],
  returned: ({ amounts }) => [amounts, 0],
  kind: ({ kinds }) => [kinds, 0.45],
  partnerOrderId: ({ tokens, orderIds, ticketNumbers, emails }) => [
    Math.max(0, tokens - orderIds - ticketNumbers - emails),
    0.3,
  ],
  paymentId: ({ tokens, orderIds, ticketNumbers, emails }) => [
    Math.max(0, tokens - orderIds - ticketNumbers - emails),
    0.28,
  ],
}
/** Fields whose values may repeat or be missing: their shape never contradicts the header. */
const NEVER_CONTRADICTED: readonly RegisterField[] = [
  'event',
  'kind',
  'outcome',
  'paymentId',
  'email',
  'currency',
]

/** The proposed mapping with its evidence. A remembered mapping takes precedence while its headers fit. */
export function proposeMapping(input: MappingInput): ProposedMapping {
  const applied = input.remembered && applyRemembered(input.remembered, input.headers)
  if (applied?.isApplied) {
    const columns = applied.columns.map(({ field, column }) => ({
      field,
      column,
      header: input.headers[column],
      confidence: 1,
      grounds: [{ by: 'REMEMBERED' as const, found: input.headers[column] }],
    }))
    const added = newNextTo(columns, applied.newColumns, input)
    return { ...finish([...columns, ...added]), remembered: 'APPLIED' }
  }
  const columns = withoutLoneOutcome(assign(candidates(input)))
  return { ...finish(columns), remembered: applied?.refusal ?? 'NONE' }
}

/** A status says whether an operation happened; where no column has the operation, it says what a row is. */
const withoutLoneOutcome = (columns: ProposedColumn[]) =>
  columns.some(({ field }) => field === 'kind')
    ? columns
    : columns.map((one) => (one.field === 'outcome' ? { ...one, field: 'kind' as const } : one))

/** Columns with a known header that the earlier file had not. Mappings left statuses out before they were read. */
function newNextTo(
  columns: readonly ProposedColumn[],
  newColumns: readonly number[],
  input: MappingInput
) {
  const hasKind = columns.some(({ field }) => field === 'kind')
  const isFree = ({ field, column }: ProposedColumn) =>
    columns.every((one) => one.field !== field && one.column !== column)
  const isNew = ({ field, column }: ProposedColumn) =>
    newColumns.includes(column) || (field === 'outcome' && hasKind)
  const hasKnownHeader = ({ grounds }: ProposedColumn) =>
    grounds.some(({ by }) => by === 'HEADER' || by === 'PART_OF_HEADER')
  const found = assign(
    candidates(input).filter((one) => isFree(one) && isNew(one) && hasKnownHeader(one))
  )
  return hasKind ? found : withoutLoneOutcome(found)
}

function finish(columns: ProposedColumn[]) {
  const mapping: ColumnMapping = Object.fromEntries(
    columns.map(({ field, column }) => [field, column])
  )
  return { columns, mapping }
}

function candidates({ headers, rows, prefix, knownIds }: MappingInput): ProposedColumn[] {
  const shapes = columnShapes(rows, prefix, knownIds)
  const width = Math.max(shapes.length, headers.length)
  return Array.from({ length: width }, (_, column) => column).flatMap((column) =>
    REGISTER_FIELDS.map((field) => {
      const header = headers[column] ?? ''
      return { field, column, header, ...judge(field, header, shapes[column]) }
    })
  )
}

/** Noisy-OR of header, shape and known ids: `1 - (1-a)(1-b)(1-c)`. */
function judge(field: RegisterField, header: string, shape: ColumnShape | undefined) {
  const grounds: Ground[] = []
  const meaning = meaningOfHeader(header)
  const [share, worth] = (shape && BY_SHAPE[field]?.(shape)) ?? [0, 0]
  let byHeader = 0
  if (meaning?.field === field) {
    byHeader = meaning.isExact ? 0.9 : 0.7
    grounds.push({ by: meaning.isExact ? 'HEADER' : 'PART_OF_HEADER', found: meaning.phrase })
  }
  // Of two columns of statuses, one says what the row is.
  if (field === 'kind' && meaning?.field === 'outcome') byHeader = 0.5
  const isForeign = meaning !== null && meaning.field !== field
  const byShape = isForeign && worth < 0.9 ? 0 : share > 0.6 ? share * worth : 0
  if (byShape > 0) grounds.push({ by: 'SHAPE', found: share })
  const hits = field in (shape?.hits ?? {}) ? shape!.hits[field as keyof ColumnShape['hits']] : 0
  if (hits > 0) grounds.push({ by: 'KNOWN_IDS', found: hits })
  const isContradicted = isShapeAgainst(field, shape, share, byHeader) && hits === 0
  if (isContradicted) grounds.push({ by: 'SHAPE_DISAGREES', found: share })
  const together = 1 - (1 - byHeader) * (1 - byShape) * (1 - (hits > 0.2 ? 0.97 : hits))
  return { confidence: isContradicted ? byHeader * 0.2 : together, grounds }
}

/** Whether the values contradict the header. */
function isShapeAgainst(
  field: RegisterField,
  shape: ColumnShape | undefined,
  share: number,
  byHeader: number
) {
  if (byHeader === 0 || !shape || shape.filled === 0) return false
  if (field === 'partnerOrderId' || field === 'paymentId') return shape.orderIds > 0.6
  // Our own number in another form may still be ours.
  if (field === 'orderId' || NEVER_CONTRADICTED.includes(field)) return false
  // 45 000 is a price, although it is also a date in Excel.
  return (field === 'amount' ? shape.amounts : share) < 0.4
}

/** Greedy assignment, the surest first: each column gets one field, each field one column. */
function assign(all: ProposedColumn[]): ProposedColumn[] {
  const order = all
    .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
    .sort((a, b) => b.confidence - a.confidence || a.column - b.column)
  const [fields, columns] = [new Set<RegisterField>(), new Set<number>()]
  const chosen = order.filter(({ field, column }) => {
    if (fields.has(field) || columns.has(column)) return false
    fields.add(field)
    columns.add(column)
    return true
  })
  return chosen.sort((a, b) => a.column - b.column)
}
