import type {
  FeeLine,
  Obstacles,
  Reason,
  SetupProposal,
  TableProblem,
} from '#finance/registers/registers_props'
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
export function problemLines({ control, unreadMoney, unknownWords, setupContradicted }: Obstacles) {
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
  for (const one of setupContradicted ?? [])
    lines.push(t('registers.problem_setup', { found: proposalWords(one) }))
  return lines
}

const PROPOSALS = {
  states: 'registers.setup_states',
  net: 'registers.setup_net',
  tiyn: 'registers.setup_tiyn',
  tenge: 'registers.setup_tenge',
} as const

/** What a file suggests about its source, with counts and examples. */
export function proposalWords({ value, fits, of, examples }: SetupProposal): string {
  const key = PROPOSALS[value as keyof typeof PROPOSALS]
  const shown = examples.map(({ line, found, tenge: means }) =>
    means === null
      ? t('registers.setup_example', { line, found })
      : t('registers.setup_example_means', { line, found, money: money(means) })
  )
  const counts = { fits: number(fits), of: number(of) }
  return t(key, { ...counts, examples: shown.join('; ') })
}

const money = (whole: string) => tenge(Number(whole))

/** Whether the other side writes this identifier differently. */
export const isOther = (mine: string | null, others: (string | null)[]) =>
  mine !== null && others.length > 0 && !others.includes(mine)
