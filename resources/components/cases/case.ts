import type { ConstantIdBound } from '#defects/balance/constant_id_bounds'
import type { CaseDefect, CaseDetails } from '#finance/cases/cases_props'
import type { CaseState } from '#case_work/case_state'
import { EXPOSED_PARTIES, type ExposureTenge } from '#defects/facts/exposure'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '~/texts/durations'
import { messageText, named, number, t, tenge } from '~/texts/texts'

export const CASE_STATES: CaseState[] = ['open', 'in_work', 'with_partner', 'resolved', 'dismissed']
export const isSettled = (state: string) => state === 'resolved' || state === 'dismissed'

/** Whether the rules no longer find a case that nobody has ended. */
export const isGone = ({ state, isOpen }: Pick<CaseDetails, 'state' | 'isOpen'>) =>
  !isOpen && !isSettled(state)

/** Whether a change of state needs a reason: at the end of a case, and on the way back. */
export const wantsReason = (from: CaseState, to: CaseState) =>
  isSettled(to) || CASE_STATES.indexOf(to) < CASE_STATES.indexOf(from)

export const chainOf = (chain: string[]) =>
  chain.map((code) => named('defect_codes', code)).join(' → ')

/** Why an order has no page to open from the case. */
export const whyNotLinked = (orderId: string, foreignOrderIds: string[]) =>
  t(foreignOrderIds.includes(orderId) ? 'cases.foreign_order' : 'cases.unknown_order')

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

/** Whether a defect is about a charge that a confirm names and that bought no ticket by itself. */
const isCharge = (code: string) => code.startsWith('CONFIRM_') || code === 'MULTI_CHARGE_ONE_ORDER'
/** Such a defect only links the orders of a case: the story does not mention it. */
const isSilent = (code: string) => code === 'PAYMENT_REUSED'
const MOST_CLAUSES = 4

interface CaseOutcome extends Pick<CaseDetails, 'state' | 'goneAt' | 'mergedInto' | 'exposure'> {
  /** What may be missing besides, in no sum. */
  bounds: ConstantIdBound<number>[]
}

/** The parties with money at risk, by the names that the texts have for them. */
export const exposedParts = (exposure: ExposureTenge) =>
  EXPOSED_PARTIES.filter((party) => exposure[party] > 0).map((party) => ({
    party: party.toUpperCase(),
    tenge: exposure[party],
  }))

/** The events of the case, and a sentence for each party whose money is at risk. */
export function storyOf(defects: CaseDefect[], chargedTenge: number, kase: CaseOutcome): string {
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
  return [all && `${all[0].toUpperCase()}${all.slice(1)}`, ...endOf(kase)]
    .filter(Boolean)
    .map((sentence) => `${sentence}.`)
    .join(' ')
}

/** Neither a settled case nor one that the rules no longer find has money at risk; of a merged case another page says the end. */
function endOf({ state, goneAt, mergedInto, exposure, bounds }: CaseOutcome) {
  if (mergedInto !== null) return []
  if (goneAt !== null) return [t('case_story.end_GONE')]
  const parts = exposedParts(exposure)
  const open = isSettled(state) ? [] : bounds.map(boundInWords)
  if (parts.length === 0) return open.length > 0 ? open : [t('case_story.end_NONE')]
  if (isSettled(state)) {
    const whose = (party: string) => (parts.length > 1 ? ` (${named('whose', party)})` : '')
    const sums = parts.map((part) => tenge(part.tenge) + whose(part.party))
    return [t('case_story.was_about', { money: sums.join(', ') })]
  }
  const known = parts.map((part) =>
    fill(`case_story.end_${part.party}`, { money: tenge(part.tenge) })
  )
  return [...known, ...open]
}

const boundInWords = ({ paymentId, orders, upToTenge }: ConstantIdBound<number>) =>
  t('case_story.end_UP_TO', {
    id: paymentId,
    orders: number(orders),
    money: tenge(upToTenge),
  })

function clauseOf({ code, subclass, deviationMs }: CaseDefect): string {
  const values = { time: duration(deviationMs ?? 0) }
  return fill(`case_story.${code}__${subclass}`, values) || fill(`case_story.${code}`, values)
}

/** A text by a key from data; empty when there is none. */
function fill(key: string, values: Record<string, string>): string {
  const text = messageText(key)
  if (text === key) return ''
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
