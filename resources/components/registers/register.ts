import type {
  ControlProblem,
  FeeLine,
  FoundInRow,
  Obstacles,
  Reason,
  SetupProposal,
  TableProblem,
} from '#finance/registers/registers_props'
import type { NumberedPart } from '#reconciliation/store/place_of_line'
import { partName, placeWords } from '~/components/registers/parts'
import { named, number, t, tenge } from '~/texts/texts'
import { percent } from '~/components/settlement/period'

/** A line of the register in words. */
type PlaceOf = (line: number) => string
type Detail = NonNullable<Reason['detail']>

/** The problem of a file and its place, in words. */
export const problemWords = ({ problem, line, column }: TableProblem) =>
  [
    named('table_problems', problem),
    ...(line !== null && column !== null ? [t('registers.place_cell', { line, column })] : []),
    ...(line !== null && column === null ? [t('registers.place_line', { line })] : []),
  ].join(' ')

/** A reason as a sentence. */
export function reasonWords({ code, detail = {} }: Reason, placeOf: PlaceOf): string {
  const values = Object.entries(detail).map(([name, value]) => [
    name,
    name === 'line' ? placeOf(value as number) : valueWords(name, value),
  ])
  const text = named('match_reasons', code)
  const given = Object.fromEntries(values) as Record<string, string>
  return text.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '')
}

function valueWords(name: string, value: Detail[string]) {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return value.map((one) => (name === 'repairs' ? named('id_repairs', one) : one)).join(', ')
}

export function feeWords(rule: FeeLine) {
  const rows = number(rule.rows)
  if (rule.kind === 'percent')
    return t('registers.fee_percent', { percent: percent(rule.basisPoints), rows })
  if (rule.kind === 'sum') return t('registers.fee_sum', { money: tenge(rule.tenge), rows })
  return t('registers.fee_column', { rows })
}

/** What is wrong with a register, a sentence each. */
export function problemLines(
  {
    noRows,
    control,
    unreadMoney,
    unknownWords,
    earlyRefunds,
    foreignOrders,
    setupContradicted,
  }: Obstacles,
  parts: readonly NumberedPart[]
) {
  const placeOf = (line: number) => placeWords(line, parts)
  const lines = noRows ? [t('registers.problem_no_rows')] : []
  if (control) lines.push(...controlLines(control))
  for (const part of control?.parts ?? []) {
    const name = partName(
      parts.find(({ number: own }) => own === part.number)!,
      parts
    )
    for (const found of controlLines(part))
      lines.push(t('registers.problem_part', { part: name, found }))
  }
  if (unreadMoney) {
    const { count, rows, tenge: sum } = unreadMoney
    const values = { count: number(count), money: money(sum) }
    const found = firstOf(count, rows, (row) => cellWords(row, placeOf))
    lines.push(t('registers.problem_unread', { ...values, lines: found }))
  }
  if (unknownWords) {
    const words = unknownWords.words.map(({ word }) => word).join(', ')
    const values = { count: number(unknownWords.count), money: money(unknownWords.tenge) }
    lines.push(t('registers.problem_words', { ...values, words }))
  }
  if (earlyRefunds) {
    const { count, rows, tenge: sum } = earlyRefunds
    const values = { count: number(count), money: money(sum) }
    const found = firstOf(count, rows, (row) =>
      t('registers.early_refund', { cell: cellWords(row, placeOf), day: row.chargedOn })
    )
    lines.push(t('registers.problem_early_refunds', { ...values, lines: found }))
  }
  if (foreignOrders) {
    const { count, rows, tenge: sum } = foreignOrders
    const values = { count: number(count), money: money(sum) }
    const found = firstOf(count, rows, (row) => {
      const cell = cellWords(row, placeOf)
      return row.found === row.order ? cell : `${cell} (${row.order})`
    })
    lines.push(t('registers.problem_foreign', { ...values, lines: found }))
  }
  for (const one of setupContradicted ?? [])
    lines.push(t('registers.problem_setup', { found: proposalWords(one, placeOf) }))
  return lines
}

/** What stands in a row, with its column: `line 12, “Amount”: twelve`. */
const cellWords = ({ line, column, found }: FoundInRow, placeOf: PlaceOf) =>
  column === null
    ? t('registers.setup_example', { place: placeOf(line), found })
    : t('registers.found_in_column', { place: placeOf(line), column, found })

/** The first ones in words, and dots where there are more. */
const firstOf = <Row>(count: number, rows: readonly Row[], words: (row: Row) => string) =>
  rows.map(words).join('; ') + (count > rows.length ? '…' : '')

function controlLines({ count, sum }: Pick<ControlProblem, 'count' | 'sum'>) {
  const lines: string[] = []
  if (count) {
    const { declared, read } = count
    lines.push(t('registers.problem_count', { declared: number(declared), read: number(read) }))
  }
  if (sum) {
    const [declared, read] = [sum.declaredTenge, sum.readTenge].map(money)
    lines.push(t('registers.problem_sum', { declared, read }))
  }
  return lines
}

const PROPOSALS = {
  ticket: 'registers.setup_tickets',
  payment: 'registers.setup_payments',
  unclear: 'registers.setup_equal_rows',
  states: 'registers.setup_states',
  net: 'registers.setup_net',
  tiyn: 'registers.setup_tiyn',
  tenge: 'registers.setup_tenge',
  own: 'registers.setup_own_payments',
  shared: 'registers.setup_shared_payments',
  sales: 'registers.setup_sales_alone',
  refunds: 'registers.setup_refunds_alone',
} as const

/** What a file suggests about its source, with counts and examples. */
export function proposalWords(
  { value, fits, of, examples }: SetupProposal,
  placeOf: PlaceOf
): string {
  const key = PROPOSALS[value as keyof typeof PROPOSALS]
  const shown = examples.map(({ line, found, tenge: means }) =>
    means === null
      ? t('registers.setup_example', { place: placeOf(line), found })
      : t('registers.setup_example_means', { place: placeOf(line), found, money: money(means) })
  )
  const counts = { fits: number(fits), of: number(of) }
  return t(key, { ...counts, examples: shown.join('; ') })
}

const money = (whole: string) => tenge(Number(whole))

/** Whether the other side writes this identifier differently. */
export const isOther = (mine: string | null, others: (string | null)[]) =>
  mine !== null && others.length > 0 && !others.includes(mine)
