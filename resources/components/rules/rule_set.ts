import type { ShareCode } from '#defects/rules/thresholds'
import type { Limit, RuleSetLine, Thresholds } from '#finance/rules/rules_props'
import { duration } from '~/components/cases/case'
import { keysOf, named, number, t } from '~/texts/texts'

const SPANS = [
  'skewAllowanceMs',
  'worstClockMs',
  'zoneSlackMs',
  'staleMs',
  'pollingDutyMs',
  'farApartMs',
  'reuseSlackMs',
  'repeatSlackMs',
  'timestampUnitMs',
  'clockSkewMs',
  'clockJitterMs',
] as const
type Span = (typeof SPANS)[number]
type Threshold = Exclude<keyof Thresholds, 'shares'>

const percent = (share: number) => `${number(share * 100)}\u00a0%`
const isSpan = (key: Threshold): key is Span => (SPANS as readonly Threshold[]).includes(key)

function valueOf(key: Threshold, value: Thresholds[Threshold]): string {
  if (typeof value !== 'number') return value.map(({ offMs }) => duration(offMs)).join(', ')
  if (isSpan(key)) return duration(value)
  return key === 'slowShare' ? percent(value) : number(value)
}

/** A threshold as a sentence. */
const sentenceOf = (key: Threshold, value: Thresholds[Threshold]) =>
  t(`thresholds.${key}`, { value: valueOf(key, value) })

function limitOf(code: string, { most, least }: Limit): string {
  const values = { name: named('partner_codes', code), most: percent(most), least: percent(least) }
  return t(most === least ? 'rules.limit_one' : 'rules.limit', values)
}
const limitNow = ({ most, least }: Limit) =>
  most === least
    ? percent(most)
    : t('rules.limit_was', { most: percent(most), least: percent(least) })

/** In the order of their texts. */
const thresholdKeys = () => keysOf('thresholds') as Threshold[]

export const thresholdsOf = ({ thresholds }: RuleSetLine) =>
  thresholdKeys().map((key) => sentenceOf(key, thresholds[key]))

export const limitsOf = ({ thresholds }: RuleSetLine) =>
  Object.entries(thresholds.shares).map(([code, limit]) => limitOf(code, limit))

/** The differences between a version and the one in force, a line each. */
export function differencesOf(set: RuleSetLine, active: RuleSetLine): string[] {
  const [is, was] = [set.thresholds, active.thresholds]
  const now = (words: string, before: string) => `${words} ${t('rules.now', { was: before })}`
  const ruleLine = (key: 'rules.rule_added' | 'rules.rule_removed') => (code: string) =>
    t(key, { rule: named('defect_codes', code) })
  return [
    ...thresholdKeys()
      .filter((key) => valueOf(key, is[key]) !== valueOf(key, was[key]))
      .map((key) => now(sentenceOf(key, is[key]), valueOf(key, was[key]))),
    ...Object.entries(is.shares)
      .filter(([code, limit]) => limitNow(limit) !== limitNow(was.shares[code as ShareCode]))
      .map(([code, limit]) =>
        now(`${limitOf(code, limit)}.`, limitNow(was.shares[code as ShareCode]))
      ),
    ...set.codes
      .filter((code) => !active.codes.includes(code))
      .map((code) => ruleLine('rules.rule_added')(code)),
    ...active.codes
      .filter((code) => !set.codes.includes(code))
      .map((code) => ruleLine('rules.rule_removed')(code)),
  ]
}
