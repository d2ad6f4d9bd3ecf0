import type { FeeLine, Reason, TableProblem } from '#finance/registers/registers_props'
import { named, number, t, tenge } from '~/texts/texts'
import { percent } from '~/components/settlement/period'

type Detail = NonNullable<Reason['detail']>

/** The problem of a file and its place, in words. */
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

/** Whether the other side writes this identifier differently. */
export const isOther = (mine: string | null, others: (string | null)[]) =>
  mine !== null && others.length > 0 && !others.includes(mine)
