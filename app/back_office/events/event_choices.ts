import type { EventChoice } from '#back_office/events/events_props'
import { listEvents } from '#back_office/events/list_events'

const MOST = 20

/** Events whose title or id has the text, for a filter: the next ones first, then the past ones, the latest first. */
export async function findEventChoices(q: string | null): Promise<EventChoice[]> {
  const filters = { q, status: null, before: null }
  const [coming, past] = await Promise.all([
    listEvents({ ...filters, when: null }, MOST),
    listEvents({ ...filters, when: 'past' }, MOST),
  ])
  const found = [...coming.rows, ...past.rows].slice(0, MOST)
  return found.map(({ id, title, startsAt }) => ({ id, title, startsAt }))
}
