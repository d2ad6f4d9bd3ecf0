import { dateOf, named, number, t, tenge, messageText } from '~/texts/texts'

/** What the forms have to know of a case. */
export interface Changeable {
  id: number
  version: number
  state: string
  owner: string | null
  dueOn: string | null
  /** Where it can go from here. */
  nextStates: string[]
}
export interface Person {
  id: number
  name: string
}
export interface Defect {
  id: number
  code: string
  subclass: string | null
  isRecovered: boolean
  severity: string
  orderId: string
  paymentId: string | null
  isStrictBreach: boolean
  exposureTenge: number
  exposureParty: string
  fault: string
  deviationMs: number | null
  hint: string | null
  evidence: string[]
}

export const CASE_STATES = ['open', 'in_work', 'with_partner', 'resolved', 'dismissed']
export const isSettled = (state: string) => state === 'resolved' || state === 'dismissed'

/** Whether going there wants a reason: at its end, and on the way back. */
export const wantsReason = (from: string, to: string) =>
  isSettled(to) || CASE_STATES.indexOf(to) < CASE_STATES.indexOf(from)

export const chainOf = (chain: string[]) =>
  chain.map((code) => named('defect_codes', code)).join(' → ')

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const one = (value: number) => number(Math.round(value * 10) / 10)

/** `20 s`, `3 min 5 s`, `5 h`: two units at most. */
export function duration(milliseconds: number): string {
  const span = Math.abs(milliseconds)
  if (span < MINUTE_MS) return t('cases.seconds', { n: one(span / SECOND_MS) })
  const [[unit, big], [lesser, small]] =
    span < HOUR_MS
      ? ([
          ['minutes', MINUTE_MS],
          ['seconds', SECOND_MS],
        ] as const)
      : span < DAY_MS
        ? ([
            ['hours', HOUR_MS],
            ['minutes', MINUTE_MS],
          ] as const)
        : ([
            ['days', DAY_MS],
            ['hours', HOUR_MS],
          ] as const)
  const rounded = Math.round(span / small) * small
  const whole = Math.floor(rounded / big)
  const rest = Math.round((rounded - whole * big) / small)
  const first = t(`cases.${unit}`, { n: number(whole) })
  return rest > 0 ? `${first} ${t(`cases.${lesser}`, { n: rest })}` : first
}

/** Whether a code tells of money that a confirm speaks of and that bought nothing by itself. */
const isCharge = (code: string) => code.startsWith('CONFIRM_') || code === 'MULTI_CHARGE_ONE_ORDER'
/** What only joins a case needs no words of its own. */
const isSilent = (code: string) => code === 'PAYMENT_REUSED'
const MOST_CLAUSES = 4

type AtStake = Pick<Case, 'state' | 'goneAt' | 'exposureTenge' | 'exposureParty'>

/** What happened, in a sentence, and whose money is at risk in another. */
export function storyOf(defects: Defect[], chargedTenge: number, kase: AtStake): string {
  const grave = defects.filter(({ severity }) => severity !== 'LOW')
  const ordered = [...grave, ...defects.filter((defect) => !grave.includes(defect))]
  const clauses = ordered
    .filter(({ code }) => !isSilent(code))
    .map((defect) => clauseOf(defect))
    .filter((clause) => clause !== '')
  const charge =
    defects.some(({ code }) => isCharge(code)) && chargedTenge > 0
      ? [t('case_story.charged', { money: tenge(chargedTenge) })]
      : []
  const all = [...charge, ...new Set(clauses)].slice(0, MOST_CLAUSES + 1).join('; ')
  return [all && `${all[0].toUpperCase()}${all.slice(1)}`, endOf(kase)]
    .filter(Boolean)
    .map((sentence) => `${sentence}.`)
    .join(' ')
}

/** What is settled asks nobody for money any more, and of what is gone nothing is left to ask. */
function endOf({ state, goneAt, exposureTenge, exposureParty }: AtStake) {
  if (goneAt !== null) return ''
  const money = tenge(exposureTenge)
  const isAbout = isSettled(state) && exposureTenge > 0
  return isAbout
    ? t('case_story.was_about', { money })
    : fill(`case_story.end_${exposureParty}`, { money })
}

function clauseOf({ code, subclass, deviationMs }: Defect): string {
  const values = { time: duration(deviationMs ?? 0) }
  return fill(`case_story.${code}__${subclass}`, values) || fill(`case_story.${code}`, values)
}

/** A text by a key that comes as data; empty when there is none. */
function fill(key: string, values: Record<string, string>): string {
  const text = messageText(key)
  if (text === key) return ''
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** A case as its page shows it. */
export interface Case extends Changeable {
  isFalsePositive: boolean
  partner: string
  partnerName: string
  paymentIds: string[]
  severity: string
  exposureTenge: number
  exposureParty: string
  fault: string
  occurredAt: string
  foundAt: string
  checkedAt: string
  goneAt: string | null
  resolution: string | null
  stateAt: string | null
  stateBy: string | null
}

/** A day of the venues, `YYYY-MM-DD`, in words. */
export const dayOf = (day: string) => dateOf(`${day}T00:00:00+05:00`)
