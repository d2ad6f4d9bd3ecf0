import {
  isPartly,
  namesStateOfRefund,
  readKind,
  wordKey,
  wordsIn,
  type RegisterKind,
  type WordMeaning,
} from '#register_reading/read_kind'
import { namesTiyn } from '#register_reading/read_amount'
import type { ColumnMapping } from '#register_reading/register_table'
import type { RowReading } from '#register_reading/row_reading'
import type { ParsedRow } from '#register_reading/parse_row'
import { lostDigitsOf } from '#register_reading/read_id'
import { cellText } from '#spreadsheets/cell_text'
import type { RawCell } from '#spreadsheets/read_table'
import { abs } from '#shared/tenge'

/**
 * What the rows of a file suggest about its source, for whole columns. A person decides.
 *
 * Example, of known orders of 12,000 and 7,350:
 *   Order | Amount    | Fee | Status         Status: participles, and no order has a second row → rows show states
 *   o-1   | 1,164,000 | 360 | оплачен        Amount: 100 × 11,640 …                             → tiyn
 *   o-2   | 11,640    | 360 | возвращён      Amount + Fee = 12,000                              → net amounts
 *
 * Example, of a known order of 24,000:
 *   o-3   | 12,000
 *   o-3   | 12,000                           the rows of one payment add up to its order                → a row is a ticket
 *
 * Example, of an order that is not known, where no known order has several rows:
 *   o-4   | 12,000
 *   o-4   | 12,000                           one payment of 12,000 written twice, or two tickets        → asked
 *
 * What a source covers is asked by all its registers (`propose_coverage.ts`).
 */
export interface SetupProposal {
  about: 'rowIs' | 'equalRows' | 'rowsShow' | 'amountsAre' | 'unit' | 'paymentIdsAre' | 'covers'
  /** What the file suggests: `ticket`, `payment`, `states`, `net`, `tiyn`, `tenge`, `own`, `shared`, `sales`, `refunds`; `unclear` of equal rows. */
  value: string
  /** How many of the rows that can be compared fit it. */
  fits: number
  of: number
  /** Whether sums of known orders show it; words and headers only suggest. */
  isProven: boolean
  examples: SetupExample[]
}
export interface SetupExample {
  line: number
  /** What stands in the file. */
  found: string
  /** The figure that it probably means; null where a word is the example. */
  tenge: string | null
}

/** A word of the columns that say what a row is, or the words of two, and what they are read as. */
export interface ReadWord {
  word: string
  count: number
  /** The first row with it. */
  line: number
  /** Null until a person has said it. */
  meaning: WordMeaning | null
}

const MEANING_OF: Record<RegisterKind, WordMeaning> = {
  sale: 'charge',
  refund: 'refund',
  declined: 'not_money',
  not_paid: 'not_money',
}

const MOST_COMPARED = 2_000
const MOST_EXAMPLES = 3
/** Fewer payments may be unknown by chance. */
const LEAST_OWN_PAYMENTS = 5
const MOST_WORDS = 200

interface Word extends ReadWord {
  /** What it is where rows show states. */
  state: RegisterKind | null
}

export class SetupEvidence {
  #rows = 0
  /** Rows with an identifier; of most files all, of large ones the first. */
  readonly #compared: ParsedRow[] = []
  readonly #words = new Map<string, Word>()
  readonly #orders = new Set<string>()
  #hasSecondRows = false
  #hasNegative = false
  #returnedLines: SetupExample[] = []
  #tiynCells: SetupExample[] = []

  constructor(
    private readonly mapping: ColumnMapping,
    private readonly headers: readonly string[],
    private readonly reading: RowReading
  ) {}

  add(rows: readonly ParsedRow[]) {
    for (const row of rows) {
      this.#rows++
      this.#noteOrder(row)
      this.#noteWord(row)
      this.#noteReturned(row)
      if (row.problems.some(({ code }) => code === 'AMOUNT_IN_TIYN'))
        this.#tiynCells.push(this.#example(row, null))
      if (
        row.amountTenge !== null &&
        idsOf(row).length > 0 &&
        this.#compared.length < MOST_COMPARED
      )
        this.#compared.push(row)
    }
  }

  /** What the compared rows call their orders. */
  ids(): string[] {
    return [...new Set(this.#compared.flatMap(idsOf))]
  }

  /** The words of the rows, the most frequent first. */
  words(): ReadWord[] {
    const words = [...this.#words.values()].map(({ state: _state, ...word }) => word)
    return words.toSorted((one, other) => other.count - one.count || one.line - other.line)
  }

  /** What the compared rows call their payments. */
  paymentIds(): string[] {
    return [...new Set(this.#compared.flatMap(({ paymentId }) => paymentId ?? []))]
  }

  /**
   * `totals`: what known orders cost, by any of their names. `knownPayments`: those that confirms have named. `equalSales`: of the
   * orders of the whole file that are not known, as equal rows may stand anywhere.
   */
  proposals(
    totals: ReadonlyMap<string, bigint>,
    knownPayments: ReadonlySet<string>,
    equalSales: EqualSales
  ): SetupProposal[] {
    const known = this.#compared.flatMap((row) => {
      const name = idsOf(row).find((id) => totals.has(id))
      return name === undefined || row.amountTenge === 0n
        ? []
        : [{ row, name, total: totals.get(name)! }]
    })
    return [
      ...this.#rowIs(known, equalSales),
      ...this.#states(),
      ...this.#unit(known),
      ...this.#net(known),
      ...this.#paymentIds(knownPayments),
    ]
  }

  /**
   * Rows of one order and payment that add up to the order are its tickets; rows that each have its total are no tickets. Where
   * only unknown orders have several equal rows, they may be tickets: much money hangs on it, so it is asked.
   */
  #rowIs(known: readonly Known[], equalSales: EqualSales): SetupProposal[] {
    if (this.reading.rowsShow === 'states') return []
    const several = severalOf(known, ({ row, name }) => `${name} ${row.paymentId}`)
    const isTicket = this.reading.rowIs === 'ticket'
    const isClear = several.some((rows) => areTickets(rows) || areRepeats(rows))
    if (!isClear && !isTicket) return equalRows(equalSales)
    const fitting = several.filter(isTicket ? areRepeats : areTickets).flat()
    if (fitting.length * 2 <= several.flat().length) return []
    const value = isTicket ? 'payment' : 'ticket'
    const examples = fitting.map(({ row }) => this.#example(row, null))
    const found = proposal('rowIs', value, fitting.length, several.flat().length, examples)
    return [{ ...found, isProven: false }]
  }

  #states(): SetupProposal[] {
    if (this.reading.rowsShow === 'states') return []
    const words = [...this.#words.values()].toSorted((one, other) => one.line - other.line)
    const ofReturns = words.filter(({ state }) => state === 'refund')
    const areStates =
      ofReturns.length > 0 &&
      ofReturns.every(({ word }) => namesStateOfRefund(word)) &&
      !this.#hasNegative
    if ((!areStates && this.#returnedLines.length === 0) || this.#hasSecondRows) return []
    const fits = areStates
      ? words.reduce((sum, { count, state }) => sum + (state === null ? 0 : count), 0)
      : this.#returnedLines.length
    const examples = areStates
      ? words.map(({ line, word }) => ({ line, found: word, tenge: null }))
      : this.#returnedLines
    return [{ ...proposal('rowsShow', 'states', fits, this.#rows, examples), isProven: false }]
  }

  #unit(known: readonly Known[]): SetupProposal[] {
    const isTiyn = this.reading.unit === 'tiyn'
    const fitting = known.filter(({ row, total }) => {
      const amount = abs(row.amountTenge!)
      return isTiyn ? amount * 100n === total : amount === total * 100n
    })
    const value = isTiyn ? 'tenge' : 'tiyn'
    if (fitting.length * 2 > known.length) {
      const examples = fitting.map(({ row, total }) => this.#example(row, total))
      return [proposal('unit', value, fitting.length, known.length, examples)]
    }
    if (isTiyn) return []
    const isInHeader = namesTiyn(this.#header())
    if (!isInHeader && this.#tiynCells.length === 0) return []
    const named = this.#compared.map((row) => this.#example(row, row.amountTenge! / 100n))
    const examples = isInHeader ? named : this.#tiynCells
    return [{ ...proposal('unit', 'tiyn', examples.length, this.#rows, examples), isProven: false }]
  }

  #net(known: readonly Known[]): SetupProposal[] {
    if (this.reading.amountsAre === 'net') return []
    const withFee = known.filter(({ row }) => row.feeTenge !== null && row.feeTenge !== 0n)
    const isNet = ({ row, total }: Known) => abs(row.amountTenge!) + abs(row.feeTenge!) === total
    const isGross = ({ row, total }: Known) => abs(row.amountTenge!) === total
    const net = withFee.filter(isNet)
    if (net.length * 2 <= withFee.length || net.length <= withFee.filter(isGross).length) return []
    const examples = net.map(({ row, total }) => this.#example(row, total))
    return [proposal('amountsAre', 'net', net.length, withFee.length, examples)]
  }

  /** A bank numbers payments in its own way where none of its numbers is one that confirms have named. */
  #paymentIds(known: ReadonlySet<string>): SetupProposal[] {
    const named = this.#compared.filter(({ paymentId }) => paymentId !== null)
    const shared = named.filter(({ paymentId }) => known.has(paymentId!))
    const { length } = this.paymentIds()
    const example = ({ line, paymentId }: ParsedRow) => ({ line, found: paymentId!, tenge: null })
    if (this.reading.paymentIdsAre === 'own') {
      if (shared.length * 2 <= named.length) return []
      return [proposal('paymentIdsAre', 'shared', shared.length, named.length, shared.map(example))]
    }
    if (shared.length > 0 || length < LEAST_OWN_PAYMENTS) return []
    const own = proposal('paymentIdsAre', 'own', named.length, named.length, named.map(example))
    return [{ ...own, isProven: false }]
  }

  #header = () => this.headers[this.mapping.amount ?? -1] ?? ''

  #noteOrder(row: ParsedRow) {
    const [order] = idsOf(row)
    if (order === undefined) return
    if (this.#orders.has(order)) this.#hasSecondRows = true
    this.#orders.add(order)
  }

  #noteWord(row: ParsedRow) {
    const { kind, outcome } = this.mapping
    const cells = [kind, outcome].map((column) => (column === undefined ? null : row.raw[column]))
    const key = wordKey(cells)
    const word = this.#words.get(key)
    if (word) word.count++
    else if (key !== '' && this.#words.size < MOST_WORDS)
      this.#words.set(key, {
        line: row.line,
        word: wordsIn(cells),
        count: 1,
        meaning: this.#meaningOf(cells),
        state: readKind(cells, this.reading.words, 'states'),
      })
    if (row.amountTenge !== null && row.amountTenge < 0n && readsAsNegative(row, this.mapping))
      this.#hasNegative = true
  }

  #meaningOf(cells: readonly (RawCell | undefined)[]): WordMeaning | null {
    const { words, rowsShow } = this.reading
    const kind = readKind(cells, words, rowsShow)
    if (kind === null) return null
    return kind === 'refund' && isPartly(cells, words) ? 'partly_refunded' : MEANING_OF[kind]
  }

  #noteReturned(row: ParsedRow) {
    const column = this.mapping.returned
    const cell = column === undefined ? '' : cellText(row.raw[column])
    if (/[1-9]/.test(cell)) this.#returnedLines.push({ line: row.line, found: cell, tenge: null })
  }

  #example(row: ParsedRow, tenge: bigint | null): SetupExample {
    const found = cellText(row.raw[this.mapping.amount!])
    return { line: row.line, found, tenge: tenge === null ? null : String(tenge) }
  }
}

/** Groups of sales that say the same: how many rows they have, and the first of them. */
export interface EqualSales {
  count: number
  first: EqualGroup[]
}
export interface EqualGroup {
  /** What its rows call their order and payment. */
  ids: string[]
  tenge: bigint
  firstLine: number
  secondLine: number
  count: number
}

export const NO_EQUAL_SALES: EqualSales = { count: 0, first: [] }

function equalRows({ count: all, first }: EqualSales): SetupProposal[] {
  const [whole, rounded] = [first.filter(hasWholeId), first.filter((group) => !hasWholeId(group))]
  if (whole.length === 0) return []
  const count = rounded.reduce((left, group) => left - group.count, all)
  const examples = whole.flatMap(({ firstLine, secondLine, tenge }) =>
    [firstLine, secondLine].map((line) => ({ line, found: String(tenge), tenge: null }))
  )
  return [{ ...proposal('equalRows', 'unclear', count, count, examples), isProven: false }]
}

/** Rows whose numbers a spreadsheet has rounded may be different payments, however equal they are. */
const hasWholeId = ({ ids }: EqualGroup) => ids.some((id) => lostDigitsOf(id) === null)

interface Known {
  row: ParsedRow
  /** What the row calls its order. */
  name: string
  /** What that order costs. */
  total: bigint
}

const isSale = ({ kind, amountTenge }: ParsedRow) =>
  kind === 'sale' && amountTenge !== null && amountTenge > 0n

/** Groups of two or more sales with the same name. */
function severalOf<One extends { row: ParsedRow }>(
  all: readonly One[],
  nameOf: (one: One) => string
) {
  const sales = all.filter(({ row }) => isSale(row))
  return [...Map.groupBy(sales, nameOf).values()].filter(({ length }) => length > 1)
}

const areTickets = ([first, ...others]: Known[]) =>
  others.reduce((sum, { row }) => sum + row.amountTenge!, first.row.amountTenge!) === first.total

const areRepeats = (rows: Known[]) => rows.every(({ row, total }) => row.amountTenge === total)

const proposal = (
  about: SetupProposal['about'],
  value: string,
  fits: number,
  of: number,
  examples: SetupExample[]
): SetupProposal => ({
  about,
  value,
  fits,
  of,
  isProven: true,
  examples: examples.slice(0, MOST_EXAMPLES),
})

const idsOf = ({ orderKey, orderId, paymentId }: ParsedRow) =>
  [orderId, orderKey, paymentId].filter((id) => id !== null)

/** A refund may have got its sign from its word. */
const readsAsNegative = (row: ParsedRow, { amount }: ColumnMapping) =>
  /^\s*[-(]|-\s*$/.test(cellText(row.raw[amount!]))
