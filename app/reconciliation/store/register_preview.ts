import platform from '#config/platform'
import { someOrders } from '#sales/queries/one_order'
import type { KnownIds } from '#register_reading/column_shape'
import { compareColumns, namesOfColumns } from '#register_reading/part_columns'
import { findHeader } from '#register_reading/find_header'
import { cellText } from '#spreadsheets/cell_text'
import type { RawRow } from '#spreadsheets/read_table'
import { proposeMapping, type ProposedMapping } from '#register_reading/propose_mapping'
import { applyRemembered, type RememberedMapping } from '#register_reading/remembered_mapping'
import {
  bestRemembered,
  rememberedMappings,
  type RegisterOwner,
} from '#reconciliation/store/remembered_mappings'
import { fromStoredCell, toStoredCell, type StoredCell } from '#reconciliation/store/stored_values'
import { openTables, UnreadableTable, type TableFile } from '#spreadsheets/read_table'
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

export interface PreviewOptions {
  sheet?: string
  /** Line of the header, 0 for none; found automatically when omitted. */
  headerLine?: number
}

/** Reads the first rows of an uploaded file; throws `UnreadableTable`. */
export async function previewFile(
  path: string,
  owner: RegisterOwner,
  { sheet, headerLine }: PreviewOptions = {}
) {
  const file = await openTables(path)
  const source = await file.read({ sheet })
  const first = await firstRows(source.rows, ROWS_ABOVE + ROWS_SHOWN)
  const preview = await previewOf(first, owner, headerLine)
  const { format, encoding } = source
  return {
    format,
    encoding,
    sheets: file.sheets.map(storable),
    filledSheets: await filledSheetsOf(file),
    sheet: source.sheet,
    preview,
  }
}

async function firstRows(rows: AsyncIterable<RawRow>, most: number) {
  const first: RawRow[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length >= most) break
  }
  return first
}

/** The sheets of a file that have rows; one that cannot be read has something. */
export async function filledSheetsOf(file: TableFile): Promise<string[]> {
  const filled: string[] = []
  for (const sheet of file.sheets) {
    const isEmpty = await hasNoRows(file, sheet)
    if (!isEmpty) filled.push(storable(sheet))
  }
  return filled
}

async function hasNoRows(file: TableFile, sheet: string) {
  try {
    const { rows } = await file.read({ sheet })
    await firstRows(rows, 1)
    return false
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    return error.problem === 'empty'
  }
}

/** Reads the first rows of a sheet or file that is to become a part of a register with these columns. */
export async function previewPart(
  file: TableFile,
  sheet: string | undefined,
  columns: readonly string[]
) {
  const { rows, format, encoding, sheet: name } = await file.read({ sheet })
  const first = await firstRows(rows, ROWS_ABOVE + ROWS_SHOWN)
  const isHeader = ({ cells }: RawRow) => compareColumns(columns, cells.map(cellText)).isSame
  // A sheet without any header that we know is refused by its first row.
  const isNumbered = columns.every((column, index) => column === String(index + 1))
  const row = first.slice(0, ROWS_ABOVE).find(isHeader)
  const found = row ? namesIn(row) : (findHeader(first) ?? (isNumbered ? null : namesIn(first[0])))
  const width = Math.max(...first.map(({ cells }) => cells.length))
  const headers = namesOfColumns({ headers: found?.headers ?? [], width }).map(short)
  return { format, encoding, sheet: name, headerLine: found?.line ?? 0, headers }
}

async function previewOf(
  first: RawRow[],
  owner: RegisterOwner,
  asked?: number
): Promise<RegisterPreview> {
  const known = await rememberedMappings(owner)
  const { line: headerLine, headers, titles } = headerOf(first, known, asked)
  const rows = first.filter(({ line }) => line > headerLine).slice(0, ROWS_SHOWN)
  const proposal = proposeMapping({
    headers,
    rows,
    prefix: platform.prefix,
    knownIds: await knownAmong(rows, owner.partnerId),
    remembered: bestRemembered(known, headers, owner),
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

/** The given line, or one with the headers of an earlier register, or one found by its words. */
function headerOf(first: RawRow[], known: readonly RememberedMapping[], asked?: number) {
  const isKnown = ({ cells }: RawRow) =>
    known.some((one) => applyRemembered(one, cells.map(cellText)).isApplied)
  const row =
    asked === undefined
      ? first.slice(0, ROWS_ABOVE).find(isKnown)
      : first.find(({ line }) => line === asked)
  if (row) return { line: row.line, headers: row.cells.map(cellText), titles: [] }
  return (asked === undefined && findHeader(first)) || { line: 0, headers: [], titles: [] }
}

const namesIn = ({ line, cells }: RawRow) => ({ line, headers: cells.map(cellText) })

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
