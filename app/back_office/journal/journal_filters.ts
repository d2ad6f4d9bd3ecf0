import type { JournalFilters } from '#back_office/journal/journal_props'
import { idAt } from '#back_office/journal/id_at'
import { partnerByCode } from '#partners/queries/find_partner'

/** A condition of SQL with the values for its question marks. */
export interface Condition {
  sql: string
  values: unknown[]
}

export interface Search {
  /** Conditions that one index serves, in its order. */
  base: Condition[]
  order: string
  /** The rows of one index entry are scattered over the table. */
  isScattered: boolean
  /** Conditions that are checked row by row. */
  rest: Condition[]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DAY = /^\d{4}-\d\d-\d\d$/
/** Entries that were written at one moment may have got their ids in another order. */
const OUT_OF_ORDER = 1000n

/** No partner has this id. */
const NOBODY = 0

const is = (sql: string, ...values: unknown[]): Condition => ({ sql, values })
const NOTHING = is('false')

/** The most selective filter uses its index; the others are checked row by row. */
export async function searchOf(filters: JournalFilters): Promise<Search> {
  const { kind, actor, name, request, order: ordered, event, before } = filters
  const partner = filters.partner ? await partnerId(filters.partner) : null
  const indexed = [
    ['request_id', request && (UUID.test(request) ? request : null), request] as const,
    ['order_id', ordered, ordered] as const,
    ['event_id', event, event] as const,
    ['partner_id', partner, partner] as const,
  ].filter(([, , asked]) => asked !== null)
  const [first, ...others] = indexed

  const base = [...boundsOf(before), ...(await daysOf(filters))]
  if (first) base.push(first[1] === null ? NOTHING : inIndex(first[0], first[1]))
  const rest = others.map(([column, value]) =>
    value === null ? NOTHING : is(`${column} = ?`, value)
  )
  if (kind) rest.push(is('actor_kind = ?', kind))
  if (name) rest.push(is('name = ?', name))
  if (actor) rest.push(is('strpos(lower(actor), lower(?)) > 0', actor))
  const isScattered = first !== undefined && first[0] !== 'request_id'
  const order = isScattered ? `${first[0]} DESC, id DESC` : 'id DESC'
  return { base, order, isScattered, rest }
}

async function partnerId(code: string) {
  const partner = await partnerByCode.first({ code })
  return partner?.id ?? NOBODY
}

/**
 * A range instead of an equality keeps the column in ORDER BY: with an equality PostgreSQL drops it there
 * and may scan the whole journal backwards by its primary key to find a rare partner.
 */
const inIndex = (column: string, value: unknown) =>
  column === 'request_id'
    ? is('request_id = ?', value)
    : is(`${column} >= ? AND ${column} <= ?`, value, value)

function boundsOf(before: string | null) {
  return before && /^\d{1,18}$/.test(before) ? [is('id < ?', before)] : []
}

/** Days in the venues' time zone. The journal has no index on time, but its ids grow with it. */
async function daysOf({ from, to }: JournalFilters): Promise<Condition[]> {
  const [begin, end] = [midnight(from), midnight(to)]
  const conditions = []
  if (begin) {
    const id = (await idAt(begin)) - OUT_OF_ORDER
    conditions.push(is('id >= ? AND at >= ?', String(id), begin.toISOString()))
  }
  if (end) {
    const next = new Date(end.getTime() + 24 * 3600 * 1000)
    const id = (await idAt(next)) + OUT_OF_ORDER
    conditions.push(is('id < ? AND at < ?', String(id), next.toISOString()))
  }
  return conditions
}

function midnight(day: string | null): Date | null {
  const at = new Date(`${day}T00:00:00+05:00`)
  return day && DAY.test(day) && !Number.isNaN(at.getTime()) ? at : null
}
