import { readFigures } from '#back_office/events/event_figures'
import { EVENT_FILTERS, type EventFilters } from '#back_office/events/events_props'
import { listEvents } from '#back_office/events/list_events'
import { momentCell, sendCsv } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

/** Fewer than in other lists, because the seats of each event are counted. */
const AT_ONCE = 50

export default class EventExportsController {
  async index(ctx: HttpContext) {
    await sendCsv(ctx, {
      list: 'events',
      filters: filtersOf(ctx, EVENT_FILTERS),
      page: eventsWithFigures,
      size: AT_ONCE,
      headings: headingsOf('events'),
      columns: {
        event_id: (event) => event.id,
        title: (event) => event.title.ru,
        venue: (event) => event.venue.ru,
        hall: (event) => event.hall.ru,
        starts_at: (event) => momentCell(event.startsAt),
        status: (event) => event.status,
        seats: (event) => event.figures.total,
        sold: (event) => event.figures.sold,
        free: (event) => event.figures.free,
        blocked: (event) => event.figures.blocked,
        sold_tenge: (event) => event.figures.soldTenge,
      },
    })
  }
}

async function eventsWithFigures(filters: EventFilters, size: number) {
  const { rows, older } = await listEvents(filters, size)
  const figures = await readFigures(rows.map(({ id }) => id))
  return { rows: rows.map((event) => ({ ...event, figures: figures[event.id] })), older }
}
