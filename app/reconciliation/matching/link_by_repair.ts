import { dayOf, type LikenessOptions } from '#reconciliation/matching/link_by_sum'
import type { OurOrder } from '#reconciliation/matching/match_case'
import { MOST_CANDIDATES, type OurOrders } from '#reconciliation/matching/our_orders'
import {
  idsOf,
  severalCandidates,
  suggestedLink,
  unlinked,
  type RowLink,
} from '#reconciliation/matching/row_link'
import type { MatchRow } from '#reconciliation/matching/match_row'
import {
  foldId,
  keysOfLostDigits,
  lostDigitsKey,
  lostDigitsOf,
  repairsBetween,
} from '#register_reading/read_id'
import { isConfirmed } from '#sales/order_status'
import { appendTo } from '#shared/append_to'

/**
 * Links rows by identifiers that a spreadsheet, a keyboard or a person has damaged. Suggestions only.
 *
 * Example, of payments 12345678901234567801 to 12345678901234567830 on one day, 12,000 each:
 *   ' р-1'                                               → order P-1: a space and a Cyrillic letter are repaired
 *   one row with payment 12345678901234600000            → the only order with that beginning, or the only one of that amount
 *   thirty rows of that day, each 12,000                 → each with all thirty orders: the pairs are unknown, the sum is not
 *   a damaged id of an order that other rows show whole  → no order; the money was meant for that one, a second charge
 */
export class RepairedIds {
  /** Orders that other rows have not shown whole. */
  readonly #free: ReadonlySet<OurOrder>
  /** How many digits spreadsheets have left of long numbers. */
  readonly #keptDigits: ReadonlySet<number>
  /** What the rows ask for, so that no other order is indexed. */
  readonly #wanted: ReadonlySet<string>
  /** Repaired identifier → orders, one more than may be looked at. */
  readonly #byId = new Map<string, OurOrder[]>()
  /** Beginning of a long number, day and amount → all orders. */
  readonly #byBeginning = new Map<string, OurOrder[]>()

  constructor(
    rows: readonly MatchRow[],
    ours: OurOrders,
    free: readonly OurOrder[],
    private readonly options: LikenessOptions
  ) {
    this.#free = new Set(free)
    this.#keptDigits = new Set(rows.flatMap((row) => lostOf(row).map(lengthLeft)))
    this.#wanted = new Set(rows.flatMap((row) => idsOf(row).flatMap(wantedKeys)))
    if (this.#wanted.size === 0) return
    for (const order of [...ours.confirmed, ...ours.unpaid]) this.#index(order)
  }

  link(row: MatchRow): RowLink | null {
    const candidates = this.#candidates(row)
    const confirmed = candidates.filter(({ status }) => isConfirmed(status))
    // What goes back is of an order that other rows show the charge of.
    const free =
      row.kind === 'refund' ? confirmed : confirmed.filter((order) => this.#free.has(order))
    if (confirmed.length === 0) return candidates.length === 1 ? unlinked(row, candidates) : null
    if (free.length === 0) return this.#secondCharge(row, confirmed)
    return (
      this.#onlyOne(row, free) ?? this.#ofDayAndSum(row) ?? this.#suggestionOfSeveral(row, free)
    )
  }

  /** The only order, or the only one of that amount. */
  #onlyOne(row: MatchRow, orders: readonly OurOrder[]): RowLink | null {
    if (orders.length > MOST_CANDIDATES) return null
    const isNarrowed = orders.length > 1
    const fitting = isNarrowed
      ? orders.filter(({ totalTenge }) => totalTenge === row.amountTenge)
      : orders
    if (fitting.length !== 1) return null
    const repaired = {
      code: 'IDS_REPAIRED',
      detail: { repairs: repairsOf(row, fitting[0]) },
    } as const
    const why = isNarrowed ? [repaired, { code: 'NARROWED_BY_AMOUNT' } as const] : [repaired]
    return suggestion(row, fitting, why)
  }

  #ofDayAndSum(row: MatchRow): RowLink | null {
    const orders = lostOf(row)
      .map((lost) =>
        this.#byBeginning.get(`${lostDigitsKey(lost)} ${this.#dayAndSum(row.at, row.amountTenge)}`)
      )
      .find((found) => found !== undefined)
    if (!orders) return null
    return suggestion(row, orders, [{ code: 'IDS_LOST_DIGITS' }], true)
  }

  #suggestionOfSeveral(row: MatchRow, orders: readonly OurOrder[]): RowLink | null {
    if (orders.length > MOST_CANDIDATES) return null
    return suggestion(row, orders, [severalCandidates(orders)], true)
  }

  /** Of orders that other rows have shown whole. */
  #secondCharge(row: MatchRow, orders: readonly OurOrder[]): RowLink | null {
    if (orders.length > 1) return { ...unlinked(row), why: [severalCandidates(orders)] }
    const why = [{ code: 'SECOND_CHARGE', detail: { orderId: orders[0].orderId } }] as const
    return { ...unlinked(row, orders), step: 'SUGGESTED_BY_ID', why }
  }

  /** Orders that all identifiers of the row allow; where they share none, those of the first identifier. */
  #candidates(row: MatchRow): readonly OurOrder[] {
    const found = idsOf(row).flatMap((id) => {
      const lost = lostDigitsOf(id)
      const orders = this.#byId.get(foldId(id)) ?? (lost && this.#byId.get(lostDigitsKey(lost)))
      return orders ? [orders] : []
    })
    const few = found.filter((orders) => orders.length <= MOST_CANDIDATES)
    if (few.length === 0) return found[0] ?? []
    const common = few.reduce((one, other) => one.filter((order) => other.includes(order)))
    return common.length > 0 ? common : few[0]
  }

  #dayAndSum = (at: number | null, tenge: bigint | null) =>
    `${at && dayOf(at, this.options)} ${tenge}`

  #index(order: OurOrder) {
    const { partnerOrderId, orderId, externalPaymentId } = order
    const ids = [partnerOrderId, orderId, externalPaymentId].filter((id) => id !== null).map(foldId)
    const beginnings = [...this.#keptDigits].flatMap((digits) =>
      ids.flatMap((id) => keysOfLostDigits(id, digits))
    )
    for (const key of [...ids, ...beginnings]) {
      if (!this.#wanted.has(key)) continue
      const others = this.#byId.get(key)
      if (!others) this.#byId.set(key, [order])
      else if (others.length <= MOST_CANDIDATES && others.at(-1) !== order) others.push(order)
    }
    if (!this.#free.has(order)) return
    for (const beginning of new Set(beginnings)) {
      if (!this.#wanted.has(beginning)) continue
      const key = `${beginning} ${this.#dayAndSum(order.paidAt, order.totalTenge)}`
      appendTo(this.#byBeginning, key, order)
    }
  }
}

/** A repaired identifier, and the beginning of one that has lost digits. */
function wantedKeys(id: string): string[] {
  const lost = lostDigitsOf(id)
  return lost ? [foldId(id), lostDigitsKey(lost)] : [foldId(id)]
}

const suggestion = (
  row: MatchRow,
  orders: readonly OurOrder[],
  why: RowLink['why'],
  isUncertain = false
): RowLink => suggestedLink(row, { orders, step: 'SUGGESTED_BY_ID', why, isUncertain })

const lostOf = (row: MatchRow) =>
  idsOf(row)
    .map(lostDigitsOf)
    .filter((lost) => lost !== null)

type Lost = ReturnType<typeof lostOf>[number]

const lengthLeft = ({ leading }: Lost) => leading.length

function repairsOf(row: MatchRow, order: OurOrder): string[] {
  const ours = [order.partnerOrderId, order.orderId, order.externalPaymentId]
  const made = idsOf(row).flatMap((sent) => {
    const repairs = ours.map((id) => (id === null ? null : repairsBetween(sent, id)))
    const lost = lostDigitsOf(sent) ? (['DIGITS_LOST'] as const) : []
    return repairs.find((list) => list !== null) ?? lost
  })
  return [...new Set(made)]
}
