import { isDeepStrictEqual } from 'node:util'
import type { Exchange, Step } from './buyers.ts'

/*
 * Judges what the buyers saw against what PostgreSQL has afterwards:
 *
 *   confirm ord_1 200 {tickets: [T-1 on A-1]}    stored: ord_1 paid, T-1 active on A-1    fine
 *   confirm ord_2 200 {tickets: [T-2 on A-2]}    stored: ord_2 pending                    ord_2 is lost
 *   confirm ord_3 200 {tickets: [T-3 on A-1]}    stored: ord_3 paid, T-3 active on A-1    A-1 is sold twice
 *   confirm ord_1 200 {tickets: [T-4 on A-1]}                                             a repeat that differs
 *   refund ord_1 200                            stored: T-1 still active                  ord_1 is lost, too
 *   book b-7 503 without Retry-After, order o-8 500                                       two unexpected answers
 */

/** A ticket as PostgreSQL has it. */
export interface StoredTicket {
  order_id: string
  order_status: string
  number: string
  space_id: string
  status: string
}

export interface Verdict {
  answeredSales: number
  /** Of these. */
  refunded: number
  /** Orders that are not stored as their last answer says. */
  lost: string[]
  soldTwice: string[]
  /** Answers that the contract does not prepare a partner for, each with how often it came. */
  unexpected: string[]
  repeats: number
  differing: string[]
  /** Requests that were repeated because of 503 or a broken connection. */
  refused: number
  broken: number
}

const SUCCESS: Record<Step, number[]> = {
  book: [200, 201],
  order: [200, 201],
  confirm: [200],
  refund: [200],
}

export function judgeExchanges(exchanges: Exchange[], stored: StoredTicket[]): Verdict {
  const successes = exchanges.filter(isSuccess)
  const byRequest = Map.groupBy(successes, ({ step, key }) => `${step} ${key}`)
  const sales = Map.groupBy(
    successes.filter(({ step }) => step === 'confirm'),
    ({ key }) => key
  )
  const refunds = firstSent(exchanges.filter(({ step }) => step === 'refund'))
  const refunded = new Set(successes.filter(({ step }) => step === 'refund').map(({ key }) => key))
  const storedByOrder = Map.groupBy(stored, ({ order_id: order }) => order)
  const lost = [...sales].filter(
    ([order, [answer]]) =>
      !isStored(answer, storedByOrder.get(order) ?? [], refunded.has(order) ? VOID : VALID)
  )
  return {
    answeredSales: sales.size,
    refunded: refunded.size,
    lost: lost.map(([order]) => order),
    soldTwice: [...new Set([...seatsSoldTwice(sales, refunds), ...seatsStoredTwice(stored)])],
    unexpected: unexpectedAnswers(exchanges),
    repeats: successes.length - byRequest.size,
    differing: [...byRequest]
      .filter(([, [first, ...repeats]]) => repeats.some((each) => !isSameAnswer(first, each)))
      .map(([request]) => request),
    refused: exchanges.filter(({ status }) => status === 503).length,
    broken: exchanges.filter(({ status }) => status === undefined).length,
  }
}

const isSuccess = ({ step, status }: Exchange) =>
  status !== undefined && SUCCESS[step].includes(status)

const VALID = { ticket: 'active', order: 'paid' }
const VOID = { ticket: 'void', order: 'refunded' }

function isStored({ data }: Exchange, stored: StoredTicket[], status: typeof VALID) {
  const tickets: { number: string; space_id: string }[] = data.tickets
  return (
    stored.length === tickets.length &&
    tickets.every(({ number, space_id: seat }) =>
      stored.some(
        (row) =>
          row.number === number &&
          row.space_id === seat &&
          row.status === status.ticket &&
          row.order_status === status.order
      )
    )
  )
}

/** When each request was sent for the first time. */
const firstSent = (exchanges: Exchange[]) =>
  new Map(exchanges.toReversed().map(({ key, at }) => [key, at.getTime()]))

/** A seat may be sold again once the refund of the earlier sale was sent. */
function seatsSoldTwice(sales: Map<string, Exchange[]>, refunds: Map<string, number>) {
  const sold = [...sales].flatMap(([order, [{ data, at, ms }]]) =>
    data.tickets.map(({ space_id: seat }: { space_id: string }) => {
      return { seat, soldAt: at.getTime() + ms, freeAt: refunds.get(order) ?? Infinity }
    })
  ) as { seat: string; soldAt: number; freeAt: number }[]
  return [...Map.groupBy(sold, ({ seat }) => seat)]
    .filter(([, each]) => {
      const inTurn = each.toSorted((one, other) => one.soldAt - other.soldAt)
      return inTurn.some(({ soldAt }, index) => index > 0 && inTurn[index - 1].freeAt > soldAt)
    })
    .map(([seat]) => seat)
}

function seatsStoredTwice(stored: StoredTicket[]) {
  const active = stored.filter(({ status }) => status === 'active')
  return repeated(active.map(({ space_id: seat }) => seat))
}

function repeated(seats: string[]) {
  const known = new Set<string>()
  return seats.filter((seat) => known.has(seat) || !known.add(seat))
}

/** Reads of a booking or an order go on: what is left of their time changes from answer to answer. */
function isSameAnswer(first: Exchange, repeat: Exchange) {
  if (first.step === 'confirm' || first.step === 'refund')
    return isDeepStrictEqual(first.data, repeat.data)
  const id = first.step === 'book' ? 'booking_id' : 'order_id'
  return (
    first.data[id] === repeat.data[id] &&
    first.data.expires_at === repeat.data.expires_at &&
    first.data.total_tenge === repeat.data.total_tenge
  )
}

/** Expected are success, a refusal because others have the seats, 503 with Retry-After, and a broken connection. */
function unexpectedAnswers(exchanges: Exchange[]) {
  const counts = new Map<string, number>()
  for (const exchange of exchanges) {
    const { step, status, code, retryAfter } = exchange
    const isExpected =
      isSuccess(exchange) ||
      status === undefined ||
      (status === 503 && retryAfter !== undefined) ||
      (step === 'book' && code === 'SEATS_NOT_AVAILABLE')
    if (isExpected) continue
    const name = `${step} ${status} ${code}${status === 503 ? ' without Retry-After' : ''}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`)
}
