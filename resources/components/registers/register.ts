import type { FeeLine, Obstacles, Reason, TableProblem } from '#finance/registers/registers_props'
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

/** What is wrong with a register, a sentence each. */
export function problemLines({ control, unreadMoney, unknownWords }: Obstacles) {
  const lines: string[] = []
  if (control?.count) {
    const { declared, read } = control.count
    lines.push(t('registers.problem_count', { declared: number(declared), read: number(read) }))
  }
  if (control?.sum) {
    const [declared, read] = [control.sum.declaredTenge, control.sum.readTenge].map(money)
    lines.push(t('registers.problem_sum', { declared, read }))
  }
  if (unreadMoney) {
    const { count, rows } = unreadMoney
    const first = rows.map(({ line }) => line).join(', ')
    const values = { count: number(count), money: money(unreadMoney.tenge) }
    const more = count > rows.length ? '…' : ''
    lines.push(t('registers.problem_unread', { ...values, lines: first + more }))
  }
  if (unknownWords) {
    const words = unknownWords.words.map(({ word }) => word).join(', ')
    const values = { count: number(unknownWords.count), money: money(unknownWords.tenge) }
    lines.push(t('registers.problem_words', { ...values, words }))
  }
  return lines
}

const money = (whole: string) => tenge(Number(whole))

/** Whether the other side writes this identifier differently. */
export const isOther = (mine: string | null, others: (string | null)[]) =>
  mine !== null && others.length > 0 && !others.includes(mine)
