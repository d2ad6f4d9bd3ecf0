import { atOffset } from '#shared/instants'

/** The three of the contract, and a ping to try an address out. */
export type WebhookName = 'booking_expired' | 'event_updated' | 'event_cancelled' | 'ping'

/** An entry of the journal that a partner is told of. */
export interface News {
  webhook_id: string
  /** Null for a ping. */
  name: string | null
  change: Record<string, unknown>
  event_id: string | null
  booking_id: string | null
  cancelled_at: Date | null
  utc_offset_minutes: number | null
}

export interface Notice {
  name: WebhookName
  /** JSON; the same bytes for every attempt, because the journal never changes. */
  body: string
}

/** What the partner is sent (contract, Events; `delivery_id` is ours). */
export function composeNotice(news: News): Notice {
  const [name, told] = tell(news)
  return { name, body: JSON.stringify({ delivery_id: news.webhook_id, ...told }) }
}

type Told = [WebhookName, Record<string, unknown>]

function tell(news: News): Told {
  if (news.name === null) return ['ping', {}]
  if (news.name === 'booking_expired') return tellExpired(news)
  if (news.name === 'event_cancelled') return tellCancelled(news)
  return ['event_updated', { event_id: news.event_id, ...changeOf(news) }]
}

const local = (instant: Date, { utc_offset_minutes: minutes }: News) => atOffset(instant, minutes!)

function tellExpired(news: News): Told {
  const { expired_at: at, seats } = news.change as { expired_at: string; seats: string[] }
  const expiredAt = local(new Date(at), news)
  const { booking_id: bookingId, event_id: eventId } = news
  return [
    'booking_expired',
    { booking_id: bookingId, expired_at: expiredAt, event_id: eventId, seats },
  ]
}

function tellCancelled(news: News): Told {
  const { event_id: eventId, change } = news
  const cancelledAt = local(news.cancelled_at!, news)
  return [
    'event_cancelled',
    { event_id: eventId, cancellation_reason: change.reason, cancelled_at: cancelledAt },
  ]
}

/** `change_type`; whatever has no name of its own in the contract is `updated`, and the event tells the rest. */
function changeOf(news: News) {
  const { from, to } = news.change as { from?: string; to?: string }
  if (news.name === 'event_rescheduled')
    return { change_type: 'rescheduled', new_date: local(new Date(to!), news) }
  if (to === 'sales_paused') return { change_type: 'sales_paused' }
  if (from === 'sales_paused' && to === 'sales_open') return { change_type: 'sales_resumed' }
  return { change_type: 'updated' }
}
