import { percent } from '~/components/settlement/period'
import { moment, named, t, tenge, type LocalizedText, type TextGroup } from '~/texts/texts'

/** An entry of the journal. */
export interface Entry {
  id: string
  at: string
  name: string
  actorKind: string
  actor: string
  requestId: string | null
  partner: string | null
  partnerName: string | null
  eventId: string | null
  event: LocalizedText | null
  orderId: string | null
  bookingId: string | null
  change: Record<string, unknown>
}

type Change = Record<string, unknown>
/** A line of what changed: `Role: support → finance`. */
export interface ChangeLine {
  label: string
  text: string
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/
/** Fields that say a word of ours. */
const GROUPS: Record<string, TextGroup> = {
  news: 'journal',
  cause: 'void_causes',
  trigger: 'event_acts',
  kind: 'movement_kinds',
  period: 'settlement_periods',
  rounding: 'settlement_roundings',
  direction: 'payment_directions',
}
function groupOf(name: string, field: string): TextGroup | undefined {
  if (field === 'role') return STATUS_OF[name]
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

/** What an entry of the journal changed, in words; what is called the same twice is told once. */
export function changesOf(name: string, change: Change): ChangeLine[] {
  const { from, to, url, was, ...others } = change
  const group = STATUS_OF[name]
  const lines: ChangeLine[] = []
  if (to !== undefined)
    lines.push({ label: '', text: difference(textOf(from, group), textOf(to, group)) })
  if (url !== undefined)
    lines.push({
      label: named('journal_fields', 'url'),
      text: was ? difference(textOf(was), textOf(url)) : textOf(url),
    })
  for (const [field, value] of Object.entries(others)) {
    if (value === null || value === '') continue
    const text = sayable(field, value) ?? textOf(value, groupOf(name, field))
    lines.push({ label: named('journal_fields', field), text })
  }
  return lines
}

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
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value === 'boolean') return t(value ? 'journal_page.yes' : 'journal_page.no')
  if (MOMENT.test(String(value))) return moment(String(value), true)
  return group ? named(group, String(value)) : String(value)
}
