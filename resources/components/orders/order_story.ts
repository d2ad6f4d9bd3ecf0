import type { OrderPage, OrderTicket, RefusedPayment } from '#back_office/orders/orders_props'
import { duration } from '~/components/cases/case'
import { sumOf } from '~/components/sum_of'
import { moment, number, t, tenge, type TextKey } from '~/texts/texts'

export type Tone = 'error' | 'warning' | 'neutral'

/** What happened to a buyer and who has to do what, in whole sentences. */
export interface OrderStory {
  /** Red: a buyer's money is gone; amber: somebody has to do something. */
  tone: Tone
  sentences: string[]
}

type Shown = Pick<OrderPage, 'order' | 'tickets' | 'refusedPayments' | 'isSettled'>

/**
 * Example: order of 18,000, confirmed four seconds after its payment window, seats sold to somebody else since
 *     The buyer paid 18 000 ₸, but the confirm came 4 s after the payment window: there are no tickets.
 *     The seats are sold to other buyers. Sandbox brisk refunds the money.
 */
export function storyOf(page: Shown): OrderStory {
  const { order, refusedPayments } = page
  if (refusedPayments.length > 0) return chargedStory(page)
  if (order.confirmedAt) return paidStory(page)
  if (order.isEventCancelled)
    return { tone: 'neutral', sentences: [t('order_story.event_cancelled')] }
  const until = moment(order.windowEndsAt)
  if (order.status === 'pending') {
    const seats = page.tickets.length
    const money = tenge(order.totalTenge)
    return { tone: 'warning', sentences: [t('order_story.pending', { until, seats, money })] }
  }
  if (order.cancelledAt) {
    const at = moment(order.cancelledAt)
    return { tone: 'neutral', sentences: [t('order_story.cancelled', { at })] }
  }
  return { tone: 'neutral', sentences: [t('order_story.expired', { until })] }
}

function chargedStory({ order, tickets, refusedPayments, isSettled }: Shown): OrderStory {
  const [first] = refusedPayments
  const money = tenge(sumOf(refusedPayments, (one) => one.tenge))
  const sentences = [t('order_story.charged', { money, why: reasonOf(first, order.windowEndsAt) })]
  if (tickets.every(({ soldIn }) => soldIn)) sentences.push(t('order_story.sold_again'))
  const partner = order.partnerName
  sentences.push(isSettled ? t('order_story.settled') : t('order_story.returns', { partner }))
  return { tone: isSettled ? 'neutral' : 'error', sentences }
}

/** A confirm in time is refused as expired where a seat has gone to somebody else meanwhile. */
function reasonOf({ code, at }: RefusedPayment, windowEndsAt: string) {
  const late = Date.parse(at) - Date.parse(windowEndsAt)
  if (code === 'ORDER_EXPIRED' && late <= 0) return t('order_story.seats_gone')
  return t(`order_story.${code}` as TextKey, { delay: duration(late) })
}

function paidStory({ order, tickets }: Shown): OrderStory {
  const money = tenge(order.totalTenge)
  const count = (wanted: (ticket: OrderTicket) => boolean) => tickets.filter(wanted).length
  const sentences = [t('order_story.paid', { money, tickets: tickets.length })]
  if (order.isEventCancelled) sentences.push(t('order_story.event_cancelled'))
  const isReturned = ({ voidCause }: OrderTicket) =>
    voidCause === 'refund' || voidCause === 'event_cancelled'
  const returned = tickets.filter(isReturned)
  if (returned.length > 0)
    sentences.push(
      t('order_story.returned', {
        partner: order.partnerName,
        tickets: returned.length,
        money: tenge(sumOf(returned, ({ priceTenge }) => priceTenge ?? 0)),
      })
    )
  const taken = count(({ voidCause }) => voidCause === 'platform')
  if (taken > 0) sentences.push(t('order_story.voided', { tickets: taken }))
  const used = count(({ usedAt }) => usedAt !== null)
  if (used > 0)
    sentences.push(t('order_story.used', { used: number(used), tickets: number(tickets.length) }))
  return { tone: order.isEventCancelled ? 'warning' : 'neutral', sentences }
}
