import type { Language } from '#shared/languages'
import type { LocalizedText } from '#shared/localized_text'
import { tengeText } from '#shared/tenge_text'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '~/texts/durations'
import { fillText } from '~/texts/fill_text'
import { shallowRef } from 'vue'
import type ru from '../lang/ru/index.js'

type Texts = typeof ru
type Leaves<T> = T extends string
  ? ''
  : { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}` }[keyof T & string]

export type TextKey = Leaves<Texts>
export type { Language }
export const LANGUAGES: readonly Language[] = ['ru', 'kk', 'en']

const loaders: Record<Language, () => Promise<{ default: unknown }>> = {
  ru: () => import('../lang/ru/index.js'),
  kk: () => import('../lang/kk/index.js'),
  en: () => import('../lang/en/index.js'),
}
/** Chromium knows no Kazakh; its numbers are written as in Russian. */
const TAGS: Record<Language, string> = { ru: 'ru-KZ', kk: 'ru-KZ', en: 'en-GB' }
/** The venues' clock, whatever the clock of the browser. */
const TIME_ZONE = 'Asia/Almaty'

export const language = shallowRef<Language>('ru')
const texts = shallowRef<unknown>({})

/** Loads a language, and only then shows it: a page never stands half translated. */
export async function showLanguage(chosen: Language) {
  if (chosen === language.value && Object.keys(texts.value as object).length > 0) return
  const { default: loaded } = await loaders[chosen]()
  texts.value = loaded
  language.value = chosen
  document.documentElement.lang = chosen
}

/**
 * The text under a key; `{name}` in it is replaced from `values`. A word that depends on a number is written with its forms,
 * in Russian for one, few and many, in English for one and other; Kazakh has one form.
 *
 * Example, 2 tickets: `{tickets} {tickets:билет|билета|билетов}` is `2 билета`.
 */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  return fillText(find(key) ?? key, (name, forms) =>
    forms === undefined ? String(values[name] ?? '') : formOf(values[name], forms.split('|'))
  )
}

const PLURAL_FORMS: Record<Language, readonly Intl.LDMLPluralRule[]> = {
  ru: ['one', 'few', 'many'],
  kk: ['other'],
  en: ['one', 'other'],
}

/** The form of a word for a number, which may be formatted: `1 234`. */
function formOf(value: string | number | undefined, forms: readonly string[]): string {
  const count = Number(String(value).replaceAll(/\D/g, ''))
  const rule = new Intl.PluralRules(language.value).select(count)
  return forms[PLURAL_FORMS[language.value].indexOf(rule)] ?? forms.at(-1)!
}

export type TextGroup = keyof Texts

/** The words of a message from the server, which is a key of these texts or already words. */
export function messageText(message: string): string
export function messageText(message: string | undefined): string | undefined
export function messageText(message: string | undefined) {
  return message && (find(message) ?? message)
}

const ANSWERED = /^status_(\d{3})$/

/** Why a webhook was not delivered; the partner's server may answer any status. */
export function webhookFailure(failure: string): string {
  const [, status] = ANSWERED.exec(failure) ?? []
  return status ? t('webhook_failures.answered', { status }) : named('webhook_failures', failure)
}

/** The text of a key that comes as data; the key itself when it has no text. */
export const named = (group: keyof Texts, name: string): string => find(`${group}.${name}`) ?? name

/** The same, in the first group that has it. */
export const namedIn = (groups: TextGroup[], name: string): string =>
  groups.map((group) => find(`${group}.${name}`)).find((text) => text !== undefined) ?? name

/** The keys of a group, for a choice of all that it names. */
export const keysOf = (group: keyof Texts): string[] =>
  Object.keys((texts.value as Partial<Texts>)[group] ?? {})

/** The values of a filter or a select with their texts; all that the group names when left out. */
export const choicesOf = (group: keyof Texts, values: readonly string[] = keysOf(group)) =>
  values.map((value) => ({ value, label: named(group, value) }))

function find(key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<unknown>(
      (node, part) => (node as Record<string, unknown> | undefined)?.[part],
      texts.value
    )
  return typeof found === 'string' ? found : undefined
}

/** `1 234`, and `−5` with a minus that is no hyphen. */
export const number = (value: number) =>
  withMinus(new Intl.NumberFormat(TAGS[language.value]).format(value))

export { tengeText as tenge }

const MILLION = 1_000_000
const THOUSAND = 1_000
/** From here on the last three digits are left out. */
const SHORT = 100 * THOUSAND

/** A sum that is looked at and not counted with: `8.6M ₸`, `250k ₸`, `48 000 ₸`. */
export function shortTenge(value: number): string {
  const size = Math.abs(value)
  if (size < SHORT) return tengeText(value)
  const [unit, key] =
    size < MILLION
      ? ([THOUSAND, 'overview.thousands'] as const)
      : ([MILLION, 'overview.millions'] as const)
  const places = size < 10 * MILLION && size >= MILLION ? 10 : 1
  return `${t(key, { n: number(Math.round((value / unit) * places) / places) })}\u00a0₸`
}

const withMinus = (formatted: string) => formatted.replace('-', '−')

/** `1.4 MB`, in thousands as disks count them. */
export function sizeOf(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte']
  const step = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const options = { style: 'unit', unit: units[step], maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(TAGS[language.value], options).format(bytes / 1000 ** step)
}

/** The venues' offset, shown next to times: Kazakhstan has one zone. */
export const OFFSET = 'UTC+5'

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  day: 'numeric',
  month: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

function partsOf(iso: string | number) {
  const parts = clock.formatToParts(new Date(iso)).map(({ type, value }) => [type, value])
  return Object.fromEntries(parts) as Record<string, string>
}

/** `2026-11-22`, as fields of days take it: today when left out. */
export function localDay(at = Date.now()): string {
  const { year, month, day } = partsOf(at)
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The hour of the venues' day, 0 to 23: now when left out. */
export const localHour = (at = Date.now()) => Number(partsOf(at).hour)

/** `22 Nov, 19:00`; of another year `22 Nov 2025, 19:00`. */
export function moment(iso: string, withSeconds = false): string {
  const { year, hour, minute, second } = partsOf(iso)
  const isThisYear = year === partsOf(Date.now()).year
  const date = isThisYear ? dayAndMonth(iso) : dateOf(iso)
  return `${date}, ${hour}:${minute}${withSeconds ? `:${second}` : ''}`
}

const SOON_MS = 45_000
const LONGEST_AGO_MS = 30 * DAY_MS

/** `5 min ago`, `in 2 h`; a moment more than 30 days away is written as one. */
export function howLongAgo(iso: string, now: number): string {
  const ms = now - Date.parse(iso)
  const away = Math.abs(ms)
  if (away < SOON_MS) return t('list_layout.now')
  if (away > LONGEST_AGO_MS) return moment(iso)
  const [unit, length] =
    away < HOUR_MS - SOON_MS
      ? (['minutes', MINUTE_MS] as const)
      : away < DAY_MS
        ? (['hours', HOUR_MS] as const)
        : (['days', DAY_MS] as const)
  const n = Math.round(away / length)
  return t(ms > 0 ? `list_layout.${unit}_ago` : `list_layout.in_${unit}`, { n: number(n) })
}

function dayAndMonth(iso: string): string {
  const { day, month } = partsOf(iso)
  return `${Number(day)} ${named('months', String(Number(month)))}`
}

/** `21/11/2026, 23:05:01 UTC+5`, in full; with points in Russian and Kazakh. */
export function exactMoment(iso: string): string {
  const { day, month, year, hour, minute, second } = partsOf(iso)
  const sign = language.value === 'en' ? '/' : '.'
  const date = [day.padStart(2, '0'), month.padStart(2, '0'), year].join(sign)
  return `${date}, ${hour}:${minute}:${second} ${OFFSET}`
}

/** `1 Dec 2026`, the venues' day of a moment; in Kazakh the year is first: `2026 ж. 1 жел.` */
export function dateOf(iso: string): string {
  const { year } = partsOf(iso)
  return language.value === 'kk' ? `${year} ж. ${dayAndMonth(iso)}` : `${dayAndMonth(iso)} ${year}`
}

/** `2026-03` as `March 2026`; in Kazakh the year is first: `2026 ж. наурыз`. */
export function monthOf(month: string): string {
  const [year, monthNumber] = month.split('-')
  const name = named('month_names', String(Number(monthNumber)))
  return language.value === 'kk' ? `${year} ж. ${name}` : `${name} ${year}`
}

/** `2026-12-01` as figures: `01.12.2026`, in English `01/12/2026`. */
export const numericDay = (day: string) =>
  day
    .split('-')
    .toReversed()
    .join(language.value === 'en' ? '/' : '.')

/** The same of a day, `2026-12-01`. */
export const dayOf = (day: string) => dateOf(`${day}T00:00:00+05:00`)

export type { LocalizedText }

/** A text by the organiser in the chosen language; Russian is always there. */
export const localized = (text: LocalizedText) => text[language.value] ?? text.ru
