import { listMatches } from '#finance/registers/list_matches'
import { askForWork } from '#finance/registers/register_work'
import { decisionValidator } from '#finance/registers/register_validators'
import { MATCH_FILTERS, type MatchLine } from '#finance/registers/registers_props'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { sendCsv } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { idOf } from '#staff_area/id_of'
import { filtersOf } from '#staff_area/lists'
import DecideMatch from '#reconciliation/actions/decide_match'
import { placeOfLine } from '#reconciliation/store/place_of_line'
import { partsOf, type RegisterPart } from '#reconciliation/store/register_parts'
import { findRegister } from '#reconciliation/store/find_register'
import type { HttpContext } from '@adonisjs/core/http'

const ROWS_AT_ONCE = 500

export default class RegisterMatchesController {
  /** The cases that the page shows, as a file. */
  async index(ctx: HttpContext) {
    const register = await findRegister(idOf(ctx, 'register'))
    const { id } = register
    const parts = await partsOf(register)
    await sendCsv(ctx, {
      list: `register-${id}`,
      filters: filtersOf(ctx, MATCH_FILTERS),
      page: (filters, size) => listMatches(id, filters, ctx.actor.name, size),
      size: ROWS_AT_ONCE,
      headings: headingsOf('register_matches'),
      columns: columnsOf(parts),
    })
  }

  /** Matches the register again, or reads it when its reading was interrupted. */
  async store(ctx: HttpContext) {
    const register = await findRegister(idOf(ctx, 'register'))
    const kind = register.state === 'mapped' ? 'read_register' : 'match_register'
    await askForWork(ctx, kind, register)
    return redirectWithNotice(ctx, 'registers.matched_again')
  }

  async update(ctx: HttpContext) {
    const { cases, owner, ...change } = await ctx.request.validateUsing(decisionValidator)
    const isWord = owner === 'me' || owner === 'none'
    const { changed, left } = await new DecideMatch().handle({
      registerId: idOf(ctx, 'register'),
      cases,
      actor: ctx.actor,
      change: {
        ...change,
        ...(owner !== undefined && { owner: isWord ? owner : Number(owner) }),
      },
    })
    const values = { changed: changed.length, left: left.length }
    return redirectWithNotice(
      ctx,
      left.length > 0 ? 'registers.decided_some' : 'registers.decided',
      values
    )
  }
}

const list = (values: (string | number | null)[]) => values.filter((one) => one !== null).join(' ')
const candidatesOf = ({ why }: MatchLine) =>
  list(why.flatMap(({ detail }) => (detail?.orderIds as string[] | undefined) ?? []))

/** Lines; where there are several parts, rows with the sheet or file. */
function linesOf({ rows }: MatchLine, parts: readonly RegisterPart[]) {
  if (parts.length === 1) return list(rows.map(({ line }) => line))
  const places = rows.map(({ line }) => placeOfLine(parts, line))
  return places.map(({ part, row }) => `${nameOf(part)}: ${row}`).join('; ')
}

/** `b.xlsx, Лист1`: sheets of two files may be called the same. */
const nameOf = ({ fileName, sheet }: RegisterPart) =>
  [fileName, sheet].filter((name) => name !== null).join(', ')

const columnsOf = (parts: readonly RegisterPart[]) => ({
  ...COLUMNS,
  lines: (one: MatchLine) => linesOf(one, parts),
})

const COLUMNS = {
  lines: ({ rows }) => list(rows.map(({ line }) => line)),
  partner_order_id: ({ rows }) => list(rows.map(({ orderKey }) => orderKey)),
  external_payment_id: ({ rows }) => list(rows.map(({ paymentId }) => paymentId)),
  register_tenge: ({ rows, rowsTenge }) => (rows.length > 0 ? rowsTenge : null),
  order_id: ({ orders, meantOrderId }) => list(orders.map(({ id }) => id)) || meantOrderId,
  our_tenge: ({ orders, ordersTenge }) => (orders.length > 0 ? ordersTenge : null),
  difference_tenge: ({ rowsTenge, ordersTenge }) => rowsTenge - ordersTenge,
  our_status: ({ orders }) => list(orders.map(({ status }) => status)),
  category: ({ category }) => category,
  step: ({ step }) => step,
  reasons: ({ why }) => list(why.map(({ code }) => code)),
  candidates: candidatesOf,
  decision: ({ decision }) => decision,
  decided_by: ({ decidedBy }) => decidedBy,
  owner: ({ owner }) => owner,
  due_on: ({ dueOn }) => dueOn,
  note: ({ note }) => note,
} satisfies Record<string, (one: MatchLine) => string | number | null>
