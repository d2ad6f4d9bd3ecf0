import { emailOfColleague } from '#back_office/journal/colleague_choices'
import type { JournalFilters } from '#back_office/journal/journal_props'
import { daysOfPeriod } from '#back_office/journal/periods'
import { idAt } from '#shared/journal_position'
import { partnerByCode } from '#partners/queries/find_partner'
import { DAY_MS, readDay } from '#shared/days'

/** A condition of SQL with the values of its parameters; each name stands for one value in the whole search. */
export interface Condition {
  sql: string
  params: Record<string, unknown>
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
/** Entries that were written at one moment may have got their ids in another order. */
const OUT_OF_ORDER = 1000n

/** No partner and nobody of the staff has this id. */
const NOBODY = 0

const NOTHING: Condition = { sql: 'false', params: {} }

/** The filters with what `me` and a period mean now, for the person who asks; a period goes before days. */
export function resolveFilters(
  filters: JournalFilters,
  viewerId: number,
  now = new Date()
): JournalFilters {
  const colleague = filters.colleague === 'me' ? String(viewerId) : filters.colleague
  return { ...filters, ...daysOfPeriod(filters.period, now), colleague, period: null }
}

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
    value === null ? NOTHING : { sql: `${column} = :${column}`, params: { [column]: value } }
  )
  if (kind) rest.push({ sql: 'actor_kind = :kind', params: { kind } })
  if (name) rest.push({ sql: 'name = :name', params: { name } })
  if (filters.colleague) rest.push(await byColleague(filters.colleague))
  if (actor) rest.push({ sql: 'strpos(lower(actor), lower(:actor)) > 0', params: { actor } })
  const isScattered = first !== undefined && first[0] !== 'request_id'
  const order = isScattered ? `${first[0]} DESC, id DESC` : 'id DESC'
  return { base, order, isScattered, rest }
}

/** The journal names staff by e-mail, in any case. */
async function byColleague(id: string): Promise<Condition> {
  const staffId = /^\d{1,9}$/.test(id) ? Number(id) : NOBODY
  const colleague = await emailOfColleague.first({ staffId })
  if (!colleague) return NOTHING
  return {
    sql: `actor_kind = 'staff' AND lower(actor) = lower(:colleague)`,
    params: { colleague: colleague.email },
  }
}

async function partnerId(code: string) {
  const partner = await partnerByCode.first({ code })
  return partner?.id ?? NOBODY
}

/**
 * A range instead of an equality keeps the column in ORDER BY: with an equality PostgreSQL drops it there
 * and may scan the whole journal backwards by its primary key to find a rare partner.
 */
const inIndex = (column: string, value: unknown): Condition => ({
  sql:
    column === 'request_id'
      ? 'request_id = :request_id'
      : `${column} >= :${column} AND ${column} <= :${column}`,
  params: { [column]: value },
})

function boundsOf(before: string | null): Condition[] {
  return before && /^\d{1,18}$/.test(before) ? [{ sql: 'id < :before', params: { before } }] : []
}

/** Days in the venues' time zone. The journal has no index on time, but its ids grow with it. */
async function daysOf({ from, to }: JournalFilters): Promise<Condition[]> {
  const [begin, end] = [readDay(from), readDay(to)]
  const next = end && new Date(end.getTime() + DAY_MS)
  const [firstId, endId] = await Promise.all([begin && idAt(begin), next && idAt(next)])
  const conditions: Condition[] = []
  if (firstId !== null)
    conditions.push({
      sql: 'id >= :firstId AND at >= :begin',
      params: { firstId: firstId - OUT_OF_ORDER, begin },
    })
  if (endId !== null)
    conditions.push({
      sql: 'id < :endId AND at < :next',
      params: { endId: endId + OUT_OF_ORDER, next },
    })
  return conditions
}
