import platform from '#config/platform'
import { someOrders } from '#sales/queries/one_order'
import type { KnownIds } from '#register_reading/column_shape'
import { findHeader } from '#register_reading/find_header'
import { cellText } from '#spreadsheets/cell_text'
import type { RawRow } from '#spreadsheets/read_table'
import { proposeMapping, type ProposedMapping } from '#register_reading/propose_mapping'
import { applyRemembered, type RememberedMapping } from '#register_reading/remembered_mapping'
import { fromStoredCell, toStoredCell, type StoredCell } from '#reconciliation/store/stored_values'
import { listSheets, readTable } from '#spreadsheets/read_table'
import { statement } from '#shared/statement'
import { storable } from '#shared/storable'

const ROWS_SHOWN = 50
/** Most rows above a header. */
const ROWS_ABOVE = 30
const LONGEST_SHOWN = 300
const MOST_TITLES = 20

/** The first rows of a register, and the proposed mapping. */
export interface RegisterPreview {
  /** Line of the header; 0 for none. */
  headerLine: number
  headers: string[]
  titles: string[]
  width: number
  rows: { line: number; cells: StoredCell[] }[]
  proposal: ProposedMapping
}

const selectHabit = statement<{ mapping: RememberedMapping }, { partnerId: number }>(
  'register_habit_mapping',
  'SELECT mapping FROM partner_register_habits WHERE partner_id = :partnerId'
)
const selectKnown = statement<
  Record<'keys' | 'ids' | 'payments', string[]>,
  { partnerId: number; texts: string[] }
>(
  'register_known_ids',
  `SELECT ARRAY(SELECT partner_order_id::text FROM orders WHERE partner_id = :partnerId AND partner_order_id = ANY(:texts::text[])) AS keys,
          ARRAY(SELECT id::text FROM ${someOrders(':texts')} WHERE partner_id = :partnerId) AS ids,
          ARRAY(SELECT payment_external_id
                  FROM (SELECT * FROM orders WHERE payment_external_id = ANY(:texts::text[]) OFFSET 0) o
                 WHERE partner_id = :partnerId LIMIT 1000) AS payments`
)

export interface LookOptions {
  sheet?: string
  /** Line of the header, 0 for none; found automatically when omitted. */
  headerLine?: number
}

/** Reads the first rows of an uploaded file; throws `UnreadableTable`. */
export async function lookInto(
  path: string,
  partnerId: number,
  { sheet, headerLine }: LookOptions = {}
) {
  const sheets = await listSheets(path)
  const source = await readTable(path, {}, { sheet })
  const first: RawRow[] = []
  for await (const row of source.rows) {
    first.push(row)
    if (first.length >= ROWS_ABOVE + ROWS_SHOWN) break
  }
  const preview = await previewOf(first, partnerId, headerLine)
  const { format, encoding } = source
  return { format, encoding, sheets: sheets.map(storable), sheet: source.sheet, preview }
}

async function previewOf(
  first: RawRow[],
  partnerId: number,
  asked?: number
): Promise<RegisterPreview> {
  const habit = await selectHabit.first({ partnerId })
  const { line: headerLine, headers, titles } = headerOf(first, habit?.mapping ?? {}, asked)
  const rows = first.filter(({ line }) => line > headerLine).slice(0, ROWS_SHOWN)
  const proposal = proposeMapping({
    headers,
    rows,
    prefix: platform.prefix,
    knownIds: await knownAmong(rows, partnerId),
    remembered: habit && Object.keys(habit.mapping).length > 0 ? habit.mapping : undefined,
  })
  return {
    headerLine,
    headers: headers.map(short),
    proposal: storableProposal(proposal),
    titles: titles.slice(0, MOST_TITLES).map(short),
    width: Math.max(headers.length, ...rows.map(({ cells }) => cells.length), 0),
    rows: rows.map(({ line, cells }) => ({ line, cells: cells.map(toStoredCell).map(shortCell) })),
  }
}

/** The given line, or one with the headers of the partner's last register, or one found by its words. */
function headerOf(first: RawRow[], remembered: RememberedMapping, asked?: number) {
  const isLast = ({ cells }: RawRow) => applyRemembered(remembered, cells.map(cellText)).isApplied
  const isKnown = Object.keys(remembered).length > 0
  const row =
    asked === undefined
      ? isKnown && first.slice(0, ROWS_ABOVE).find(isLast)
      : first.find(({ line }) => line === asked)
  if (row) return { line: row.line, headers: row.cells.map(cellText), titles: [] }
  return (asked === undefined && findHeader(first)) || { line: 0, headers: [], titles: [] }
}

const short = (text: string) => storable(text.slice(0, LONGEST_SHOWN))
const shortCell = (cell: StoredCell) => (typeof cell === 'string' ? short(cell) : cell)

/** Headers in the proposal are shortened, too. */
const storableProposal = (proposal: ProposedMapping): ProposedMapping => ({
  ...proposal,
  columns: proposal.columns.map((column) => ({ ...column, header: short(column.header) })),
})

async function knownAmong(rows: readonly RawRow[], partnerId: number): Promise<KnownIds> {
  const cells = rows.flatMap((row) => row.cells.map(cellText).map(storable))
  const texts = [...new Set(cells.filter((text) => text.length > 0 && text.length <= 64))]
  const { keys, ids, payments } = await selectKnown.one({ partnerId, texts })
  return {
    partnerOrderIds: new Set(keys),
    orderIds: new Set(ids),
    paymentIds: new Set(payments),
  }
}

export const rawRowsOf = ({ rows }: RegisterPreview): RawRow[] =>
  rows.map(({ line, cells }) => ({ line, cells: cells.map(fromStoredCell) }))
