import { urlFor } from '@adonisjs/core/services/url_builder'
import { readFigures } from '#back_office/events/event_figures'
import {
  createValidator,
  descriptionOf,
  editValidator,
  hallChoices,
  pricesOf,
  timesOf,
} from '#back_office/events/event_form'
import { readReach, readSales } from '#back_office/events/event_reach'
import {
  EVENT_FILTERS,
  type EditEventPage,
  type EventPage,
  type EventsPage,
  type NewEventPage,
} from '#back_office/events/events_props'
import { listEvents } from '#back_office/events/list_events'
import type { ServerProps } from '#staff_area/page_props'
import { readOnce } from '#staff_area/read_once'
import {
  findEvent,
  findOpenRequest,
  readHistory,
  readPrices,
  readSectors,
} from '#back_office/events/read_event'
import { whoHasSeen } from '#back_office/events/who_has_seen'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { secondPeople } from '#staff_area/second_people'
import { filtersOf } from '#staff_area/lists'
import CreateEvent from '#catalog/actions/create_event'
import EditEvent from '#catalog/actions/edit_event'
import { EVENT_TRANSITIONS } from '#catalog/event_status'
import platform from '#config/platform'
import type { HttpContext } from '@adonisjs/core/http'

export default class EventsController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, EVENT_FILTERS)
    const events = await listEvents(filters)
    const ids = events.rows.map(({ id }) => id)
    const figures = ctx.inertia.defer(() => readFigures(ids))
    return ctx.inertia.render('events/index', {
      filters,
      events,
      figures,
    } satisfies ServerProps<EventsPage>)
  }

  async show({ auth, inertia, params }: HttpContext) {
    const event = await findEvent(String(params.id))
    const { id } = event
    const request = readOnce(() => findOpenRequest(id))
    const sectors = inertia.defer(() => readSectors({ id }), 'sectors')
    const sales = inertia.defer(() => readSales(id), 'sales')
    const triggers = event.hasStarted ? [] : Object.keys(EVENT_TRANSITIONS[event.status])
    const { secondPerson } = platform
    const { email } = auth.use('staff').getUserOrFail()
    return inertia.render('events/show', {
      event,
      triggers,
      prices: () => readPrices({ id }),
      reach: () => readReach(id),
      seen: () => whoHasSeen(id),
      history: () => readHistory({ id }),
      request,
      secondPerson,
      second: async () => {
        const asked = await request()
        if (!asked && !secondPerson) return null
        // Without a request: who could approve one of the viewer.
        return secondPeople(asked?.askedBy ?? email, 'events.cancel', email)
      },
      sectors,
      sales,
    } satisfies ServerProps<EventPage>)
  }

  async create({ inertia }: HttpContext) {
    return inertia.render('events/new', {
      halls: await hallChoices({}),
    } satisfies ServerProps<NewEventPage>)
  }

  async store(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(createValidator)
    const { eventId } = await new CreateEvent().handle({
      ...input,
      ...timesOf(input),
      description: descriptionOf(input.description),
      prices: pricesOf(input.prices),
      actor: ctx.actor,
    })
    return redirectWithNotice(
      ctx,
      'events.created',
      {},
      urlFor('back_office.event', { id: eventId })
    )
  }

  async edit({ inertia, params }: HttpContext) {
    const event = await findEvent(String(params.id))
    const [prices, reach] = await Promise.all([readPrices({ id: event.id }), readReach(event.id)])
    return inertia.render('events/edit', {
      event,
      prices,
      reach,
    } satisfies ServerProps<EditEventPage>)
  }

  async update(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(editValidator)
    const { id } = await findEvent(String(ctx.params.id))
    await new EditEvent().handle({
      ...input,
      eventId: id,
      description: descriptionOf(input.description),
      prices: pricesOf(input.prices),
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, 'events.saved', {}, urlFor('back_office.event', { id }))
  }
}
