import { arrows } from '~/components/events/history'
import { percent } from '~/components/settlement/period'
import { moment, named, t, messageText, tenge, type TextGroup } from '~/texts/texts'

type Change = Record<string, unknown>
/** A line of what changed: `Role: support → finance`. */
export interface ChangeLine {
  label: string
  text: string
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/
/** Fields whose values are keys of our texts. */
const GROUPS: Record<string, TextGroup> = {
  news: 'journal',
  cause: 'void_causes',
  trigger: 'event_acts',
  kind: 'movement_kinds',
  period: 'settlement_periods',
  rounding: 'settlement_roundings',
  usedTicketsOfCancelledEvents: 'settlement_used_tickets',
  direction: 'payment_directions',
  rows_are: 'rows_are',
  list: 'areas',
}
const SCHEDULED: Record<string, TextGroup> = {
  kind: 'report_kinds',
  every: 'rhythms',
  language: 'language_names',
}
function groupOf(name: string, field: string): TextGroup | undefined {
  if (field === 'role') return STATUS_OF[name]
  if (name.startsWith('report_schedule_') && field in SCHEDULED) return SCHEDULED[field]
  return field === 'kind' && name.startsWith('run_') ? 'run_kinds' : GROUPS[field]
}
type StatusGroup = 'event_statuses' | 'roles' | 'case_states' | 'statement_statuses'
const STATUS_OF: Record<string, StatusGroup> = {
  event_status_changed: 'event_statuses',
  staff_role_changed: 'roles',
  staff_created: 'roles',
  case_changed: 'case_states',
  statement_status_changed: 'statement_statuses',
}

/** The changes of a journal entry in words, a line each. */
export function changesOf(name: string, change: Change): ChangeLine[] {
  const { from, to, url, was, changed, ...others } = change
  const group = STATUS_OF[name]
  const lines: ChangeLine[] = []
  if (to !== undefined)
    lines.push({ label: '', text: difference(textOf(from, group), textOf(to, group)) })
  if (url !== undefined)
    lines.push({
      label: named('journal_fields', 'url'),
      text: was ? difference(textOf(was), textOf(url)) : textOf(url),
    })
  lines.push(...changedLines(name, (changed ?? {}) as Changed))
  for (const [field, value] of Object.entries(others)) {
    if (value === null || value === '') continue
    const text = sayable(field, value) ?? textOf(value, groupOf(name, field))
    lines.push({ label: named('journal_fields', field), text })
  }
  return lines
}

type Changed = Record<string, { from: unknown; to: unknown }>

/** Old and new value of each field. */
function changedLines(name: string, changed: Changed): ChangeLine[] {
  const fields = Object.entries(changed)
  if (name === 'category_prices_set')
    return fields.flatMap(([field, change]) => inWords(arrows(`prices.${field}`, change)))
  if (name.startsWith('event_'))
    return fields.flatMap(([field, change]) => inWords(arrows(field, change)))
  return fields.map(([field, { from, to }]) => {
    const [was, is] = [from, to].map((value) => textOf(value, groupOf(name, field)))
    return { label: named('journal_fields', field), text: difference(was, is) }
  })
}
const inWords = (lines: [string, string][]) => lines.map(([label, text]) => ({ label, text }))

/** What a partner sent as an amount may be anything. */
const isMoney = (field: string, value: unknown) =>
  /_tenge$|Tenge$/.test(field) || (field === 'amount' && /^\d+$/.test(String(value)))

/** Money and shares, which carry their unit; the rest has none. */
function sayable(field: string, value: unknown): string | undefined {
  if (isMoney(field, value)) return tenge(Number(value))
  return field.endsWith('Bp') ? percent(Number(value)) : undefined
}

const difference = (from: string, to: string) => t('journal_page.changed', { from, to })

function textOf(value: unknown, group?: TextGroup): string {
  if (value === null || value === undefined || value === '') return t('journal_page.empty_value')
  if (Array.isArray(value)) return value.map((one) => textOf(one, group)).join(', ')
  if (typeof value === 'object') return pairsOf(value)
  if (typeof value === 'boolean') return t(value ? 'journal_page.yes' : 'journal_page.no')
  if (MOMENT.test(String(value))) return moment(String(value), true)
  // The reason of the clock's actions and of an undo is a key of our texts.
  return group ? named(group, String(value)) : messageText(String(value))
}

/** `Partner: demo, From: 01.11.2026`; what is empty is left out. */
function pairsOf(value: object): string {
  const filled = Object.entries(value).filter(([, one]) => one !== null && one !== '')
  return filled.map(([field, one]) => `${wordOf(field)}: ${textOf(one)}`).join(', ')
}
const wordOf = (field: string) => {
  const word = named('journal_fields', field)
  return word === field ? named('register_fields', field) : word
}
