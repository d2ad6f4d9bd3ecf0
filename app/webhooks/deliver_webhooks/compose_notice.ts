import { atOffset } from '#shared/instants'

/** The three webhooks of the contract, and `ping` to test an endpoint. */
export type WebhookName = 'booking_expired' | 'event_updated' | 'event_cancelled' | 'ping'

/** A journal entry that partners are notified of. */
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
  /** JSON; the same bytes for every attempt, because journal entries never change. */
  body: string
}

/** The webhook of a journal entry (contract, Events; `delivery_id` is our addition). */
export function composeNotice(news: News): Notice {
  const [name, fields] = composeFields(news)
  return { name, body: JSON.stringify({ delivery_id: news.webhook_id, ...fields }) }
}

type NamedFields = [WebhookName, Record<string, unknown>]

function composeFields(news: News): NamedFields {
  if (news.name === null) return ['ping', {}]
  if (news.name === 'booking_expired') return composeBookingExpired(news)
  if (news.name === 'event_cancelled') return composeEventCancelled(news)
  return ['event_updated', { event_id: news.event_id, ...composeChange(news) }]
}

const local = (instant: Date, { utc_offset_minutes: minutes }: News) => atOffset(instant, minutes!)

function composeBookingExpired(news: News): NamedFields {
  const { expired_at: expiredAt, seats } = news.change as { expired_at: string; seats: string[] }
  return [
    'booking_expired',
    {
      booking_id: news.booking_id,
      expired_at: local(new Date(expiredAt), news),
      event_id: news.event_id,
      seats,
    },
  ]
}

function composeEventCancelled(news: News): NamedFields {
  return [
    'event_cancelled',
    {
      event_id: news.event_id,
      cancellation_reason: news.change.reason,
      cancelled_at: local(news.cancelled_at!, news),
    },
  ]
}

/** `change_type`; a change without a name in the contract is `updated`, and the partner reads the event. */
function composeChange(news: News) {
  const { from, to } = news.change as { from?: string; to?: string }
  if (news.name === 'event_rescheduled')
    return { change_type: 'rescheduled', new_date: local(new Date(to!), news) }
  if (to === 'sales_paused') return { change_type: 'sales_paused' }
  if (from === 'sales_paused' && to === 'sales_open') return { change_type: 'sales_resumed' }
  return { change_type: 'updated' }
}
