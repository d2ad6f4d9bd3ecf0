import { named, number, t, tenge } from '~/texts/texts'
import { percent } from '~/components/settlement/period'

export interface Control {
  rowsIn: number
  unparseable: number
  count: string
  sum: string
  sumTenge: number
  salesTenge: number
  refundsTenge: number
  skipped: Record<'above' | 'blank' | 'repeatedHeaders' | 'subtotals' | 'footer', number>
  declared: { count: number | null; sumTenge: number | null }
}
export interface CategoryFigures {
  category: string
  cases: number
  rows: number
  orders: number
  rowsTenge: number
  ordersTenge: number
  buyersTenge: number
  oursTenge: number
}
export type FeeRule = { rows: number } & (
  { kind: 'percent'; basisPoints: number } | { kind: 'sum'; tenge: number } | { kind: 'fee_column' }
)
export interface Register {
  id: number
  state: string
  version: number
  partner: string
  partnerName: string
  from: string
  to: string
  fileName: string
  bytes: number
  sha256: string
  format: string
  encoding: string | null
  sheet: string | null
  sheets: string[]
  uploadedAt: string
  uploadedBy: string
  decidedAt: string | null
  decidedBy: string | null
  problem: TableProblem | null
  feeRules: FeeRule[]
  control: Control | null
  totals: CategoryFigures[] | null
}
export interface TableProblem {
  problem: string
  line: number | null
  column: number | null
}
export interface Work {
  id: number
  kind: string
  state: string
  progress: { phase: string; rowsDone: number; rowsTotal: number } | null
  error: { code: string } | null
}

type Detail = Record<string, string | number | string[]>
export interface Reason {
  code: string
  detail?: Detail
}
export type MatchRow = {
  line: number
  orderKey: string | null
  orderId: string | null
  paymentId: string | null
  tenge: number | null
  at: string | null
  isNotPaid: boolean
  problems: { field: string | null; code: string; found: string }[]
}
export type MatchOrder = {
  id: string
  key: string
  paymentId: string | null
  tenge: number
  refundedTenge: number
  status: string
  at: string
}
export type Match = {
  id: number
  version: number
  place: number
  category: string
  step: string
  isSuggested: boolean
  rowsTenge: number
  ordersTenge: number
  why: Reason[]
  exposureTenge: number
  exposureParty: string
  meantOrderId: string | null
  decision: 'accepted' | 'rejected' | null
  decidedBy: string | null
  owner: string | null
  dueOn: string | null
  note: string | null
  rows: MatchRow[]
  rowCount: number
  orders: MatchOrder[]
  orderCount: number
}

/** Where in a file something is wrong, and what. */
export const problemWords = ({ problem, line, column }: TableProblem) =>
  [
    named('table_problems', problem),
    ...(line !== null && column !== null ? [t('registers.place_cell', { line, column })] : []),
    ...(line !== null && column === null ? [t('registers.place_line', { line })] : []),
  ].join(' ')

/** A reason as a sentence. */
export function reasonWords({ code, detail = {} }: Reason): string {
  const values = Object.entries(detail).map(([name, value]) => [name, valueWords(name, value)])
  const text = named('match_reasons', code)
  const given = Object.fromEntries(values) as Record<string, string>
  return text.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '')
}

function valueWords(name: string, value: Detail[string]) {
  if (!Array.isArray(value)) return String(value)
  return value.map((one) => (name === 'repairs' ? named('id_repairs', one) : one)).join(', ')
}

export function feeWords(rule: FeeRule) {
  const rows = number(rule.rows)
  if (rule.kind === 'percent')
    return t('registers.fee_percent', { percent: percent(rule.basisPoints), rows })
  if (rule.kind === 'sum') return t('registers.fee_sum', { money: tenge(rule.tenge), rows })
  return t('registers.fee_column', { rows })
}

/** Identifiers that one side has and the other writes differently: what to look at. */
export const isOther = (mine: string | null, others: (string | null)[]) =>
  mine !== null && others.length > 0 && !others.includes(mine)
