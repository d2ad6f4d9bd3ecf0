import { EVENT_TYPES } from '#catalog/event_status'
import { answer, answerBytes } from '#partner_api/envelope'
import { presentEvent, renderEvent } from '#partner_api/events/event_presenter'
import { calendarDate, enumValue, readQuery, wholeNumber } from '#partner_api/validation'
import { readCursor, writeCursor, type FeedPosition } from '#partners/feed/feed_cursor'
import { findGrantedEvent } from '#partners/queries/find_granted_event'
import { readFeed } from '#partners/feed/read_feed'
import { listGrantedEvents } from '#partners/queries/list_granted_events'
import { refuse, refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const PAGE = { min: 1, max: 100, otherwise: 50 }
const OFFSET = { min: 0, max: 2_147_483_647, otherwise: 0 }
const VENUE_ID = /^[^\0]{1,64}$/u

export default class EventsController {
  async index(ctx: HttpContext) {
    const query = readQuery(ctx.request.request.url!)
    const since = readSince(ctx.partner.id, query.updated_since)
    // The feed is never paginated: its `limit` and `offset` are ignored, even invalid ones (contract, GET /events).
    const page = since ? {} : query
    const filter = {
      dateFrom: calendarDate('date_from', query.date_from),
      dateTo: calendarDate('date_to', query.date_to),
      venueId: readVenueId(query.venue_id),
      eventType: enumValue('event_type', query.event_type, EVENT_TYPES),
      limit: wholeNumber('limit', page.limit, PAGE),
      offset: wholeNumber('offset', page.offset, OFFSET),
    }
    if (ctx.partner.isSuspended) refuse('PARTNER_DISABLED')
    return since ? this.#feed(ctx, since) : this.#page(ctx, filter)
  }

  async show(ctx: HttpContext) {
    readQuery(ctx.request.request.url!)
    if (ctx.partner.isSuspended) refuse('PARTNER_DISABLED')
    const event = await findGrantedEvent(ctx.partner.id, ctx.params.event_id)
    return answerBytes(ctx, renderEvent(event))
  }

  async #page(
    ctx: HttpContext,
    filter: Omit<Parameters<typeof listGrantedEvents>[0], 'partnerId'>
  ) {
    const { id: partnerId } = ctx.partner
    const { events, total, position } = await listGrantedEvents({ partnerId, ...filter })
    const { limit, offset } = filter
    const cursor = writeCursor(partnerId, position)
    return answer(ctx, events.map(presentEvent), { total, limit, offset, cursor })
  }

  async #feed(ctx: HttpContext, since: FeedPosition) {
    const { id: partnerId } = ctx.partner
    const { events, position } = await readFeed(partnerId, since)
    const total = events.length
    const cursor = writeCursor(partnerId, position)
    return answer(ctx, events.map(presentEvent), { total, limit: total, offset: 0, cursor })
  }
}

function readVenueId(value: string | undefined): string | null {
  if (value === undefined) return null
  if (!VENUE_ID.test(value))
    refuseField('venue_id', 'format', 'The venue_id parameter is not an identifier')
  return value
}

function readSince(partnerId: number, sent: string | undefined): FeedPosition | null {
  if (sent === undefined) return null
  const since = readCursor(partnerId, sent)
  if (since) return since
  return refuseField('updated_since', 'cursor', 'Unknown cursor; start again without updated_since')
}
