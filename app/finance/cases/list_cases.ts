import { printedIdSql } from '#defects/facts/own_payment_ids'
import type { CaseFilters, CaseLine } from '#finance/cases/cases_props'
import { PAGE_SIZE, readTimeCursor, listPage, timeCursor, type ListPage } from '#staff_area/lists'
import type { WithDates } from '#staff_area/page_props'
import { CASE_STATES, CASE_TRANSITIONS } from '#case_work/case_state'
import { findCaseIds } from '#staff_area/find_case_ids'
import { exposureOf, isOpenCase, moneyOfCase } from '#defects/cases/open_exposure'
import { EXPOSED_PARTIES } from '#defects/facts/exposure'
import type { Severity } from '#defects/rules/defect_codes'
import { DAY_MS, readDay } from '#shared/days'
import { sumNumbers } from '#shared/sums'
import db from '@adonisjs/lucid/services/db'

type CaseRow = WithDates<Omit<CaseLine, 'nextStates'>, 'occurredAt'>

/** The chain of a case, or the codes of its defects where no rule has built a chain. */
export const CHAIN = `CASE WHEN c.chain <> '{}' THEN c.chain ELSE
  ARRAY(SELECT DISTINCT d.code FROM settlement_defects d WHERE d.case_id = c.id AND d.gone_at IS NULL ORDER BY d.code) END`

/** An order that we do not have, as the partner sent it or a register names it, stands in a defect alone. */
const ORDERS = `c.order_ids || ARRAY(
  SELECT DISTINCT ${printedIdSql('d.order_id')} FROM settlement_defects d
   WHERE d.case_id = c.id AND d.order_id <> ALL (c.order_ids) AND (d.gone_at IS NULL OR c.gone_at IS NOT NULL) ORDER BY 1)`

const UP_TO = `(SELECT coalesce(sum((bound ->> 'upToTenge')::bigint), 0)::float8
                FROM jsonb_array_elements(c.balance -> 'constantIds') bound)`

const SEVERITIES: Severity[] = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'BLOCKER']

/** Cases that the filters leave, the newest or the oldest first, or those with most money. */
export async function listCases(
  filters: CaseFilters,
  me: string,
  size = PAGE_SIZE
): Promise<ListPage<CaseLine>> {
  const order = ORDERS_BY_NAME[filters.sort ?? ''] ?? NEWEST
  const query = casesWithPeople()
    .select(
      'c.id',
      'c.version',
      'p.code as partner',
      'p.name as partnerName',
      'c.severity',
      db.raw(`${CHAIN} AS chain`),
      db.raw(`${ORDERS} AS orders`),
      'c.fault',
      'c.state',
      db.raw(
        `${exposureOf('c')} AS exposure, ${UP_TO} AS "upToTenge", (${isOpenCase('c')}) AS "isOpen"`
      ),
      'c.occurred_at as occurredAt',
      's.full_name as owner',
      db.raw('coalesce(lower(s.email) = lower(:me), false) AS "isMine"', { me }),
      db.raw('c.due_on::text AS "dueOn"'),
      'c.resolution'
    )
    .orderByRaw(`${order.by} ${order.direction}, c.id ${order.direction}`)
    .limit(size + 1)
  await filterCases(query, filters, me)
  order.after(query, filters.before)
  const rows = (await query) as CaseRow[]
  const lines = rows.map((row) => ({
    ...row,
    occurredAt: row.occurredAt.toISOString(),
    nextStates: CASE_TRANSITIONS[row.state],
  }))
  return listPage(lines, order.cursorOf, filters.before, size)
}

type Query = ReturnType<typeof db.from>

interface Order {
  by: string
  direction: 'ASC' | 'DESC'
  cursorOf: (line: CaseLine) => string
  /** Continues after a cursor; any text that is none begins at the first page. */
  after: (query: Query, before: string | null) => void
}

const byTime = (direction: Order['direction']): Order => ({
  by: 'c.occurred_at',
  direction,
  cursorOf: ({ occurredAt, id }) => timeCursor(occurredAt, String(id)),
  after(query, before) {
    const cursor = readTimeCursor(before)
    const isBeyond = direction === 'DESC' ? '<' : '>'
    if (cursor && /^\d{1,9}$/.test(cursor.id))
      query.whereRaw(
        `(c.occurred_at, c.id) ${isBeyond} (CAST(:at AS timestamptz), CAST(:id AS integer))`,
        cursor
      )
  },
})

const NEWEST = byTime('DESC')

const byMoney = (money: string, tengeOf: (line: CaseLine) => number): Order => ({
  by: money,
  direction: 'DESC',
  cursorOf: (line) => `${tengeOf(line)}~${line.id}`,
  after(query, before) {
    const [, tenge, id] = /^(\d{1,18})~(\d{1,9})$/.exec(before ?? '') ?? []
    if (tenge && id)
      query.whereRaw(`(${money}, c.id) < (CAST(:tenge AS bigint), CAST(:id AS integer))`, {
        tenge,
        id,
      })
  },
})

const ORDERS_BY_NAME: Partial<Record<string, Order>> = {
  money: byMoney(moneyOfCase('c'), ({ exposure }) =>
    sumNumbers(EXPOSED_PARTIES, (party) => exposure[party])
  ),
  buyer: byMoney('c.buyer_tenge', ({ exposure }) => exposure.buyer),
  oldest: byTime('ASC'),
}

/** Cases `c` with their partners `p` and owners `s`. */
export const casesWithPeople = () =>
  db
    .from('settlement_cases as c')
    .join('partners as p', 'p.id', 'c.partner_id')
    .leftJoin('staff as s', 's.id', 'c.owner_id')

/** Leaves the cases that the filters choose; `q` leaves those that it names, and `me` is the email of the viewer. */
export async function filterCases(query: Query, filters: CaseFilters, me: string) {
  whereState(query, filters)
  if (filters.partner) query.where('p.code', filters.partner)
  whereParty(query, filters.party)
  if (filters.owner === 'me') query.whereRaw('lower(s.email) = lower(:me)', { me })
  if (filters.owner === 'none') query.whereNull('c.owner_id')
  const least = SEVERITIES.indexOf(filters.severity as Severity)
  if (least > 0) query.whereIn('c.severity', SEVERITIES.slice(least))
  if (filters.code)
    query.whereRaw(
      `EXISTS (SELECT 1 FROM settlement_defects d
                WHERE d.case_id = c.id AND d.code = :code AND d.gone_at IS NULL)`,
      { code: filters.code }
    )
  const [from, to] = [readDay(filters.from), readDay(filters.to)]
  if (from) query.where('c.occurred_at', '>=', from)
  if (to) query.where('c.occurred_at', '<', new Date(to.getTime() + DAY_MS))
  if (filters.q) query.whereIn('c.id', await findCaseIds(filters.q))
}

/** Cases with money of the party, whoever else has some in them; `NONE`: without money. */
function whereParty(query: Query, asked: string | null) {
  const party = EXPOSED_PARTIES.find((one) => one.toUpperCase() === asked)
  if (party) query.where(`c.${party}_tenge`, '>', 0)
  else if (asked === 'NONE') query.whereRaw(`${moneyOfCase('c')} = 0`)
  else if (asked) query.whereRaw('false')
}

/**
 * Without a filter, open cases, or all of them when one is searched for; `gone`: cases that the rules no longer find.
 */
function whereState(query: Query, { state, q }: CaseFilters) {
  if (state === 'gone') query.whereNotNull('c.gone_at')
  else if (state === 'any') query.whereNull('c.gone_at')
  else if ((CASE_STATES as readonly string[]).includes(state ?? ''))
    query.whereNull('c.gone_at').where('c.state', state!)
  else if (!q) query.whereRaw(isOpenCase('c'))
}
