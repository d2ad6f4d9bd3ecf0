import type { CategoryCode } from '#catalog/event_status'
import {
  listSectorLayout,
  findSectorState,
  type SeatLayout,
  type SectorState,
} from '#inventory/queries/seat_reads'
import { FreshRead } from '#shared/fresh_read'

const bodies = new FreshRead<Buffer | undefined>()

/**
 * The response body of a sector's seats; undefined when the hall has no such sector. Simultaneous requests share one read.
 * It is the largest response, so it is joined from cached bytes: the layout of a seat is rendered once, and so is each pair
 * of status and price.
 *
 *     states read      f12000,h12000,b
 *     layout, cached   {"sector_id":"sector-a","space_id":"seat-1",…,    for each seat
 *     state, cached    "status":"free","is_sellable":true,"price_tenge":12000},
 *     seat 1           {"sector_id":"sector-a","space_id":"seat-1",…,"status":"free","is_sellable":true,"price_tenge":12000}
 */
export function sectorSeatsBody(eventId: string, sectorId: string, category: CategoryCode | null) {
  const read = () => readBody(eventId, sectorId, category)
  return bodies.read(`${eventId}:${category}:${sectorId}`, read)
}

async function readBody(
  eventId: string,
  sectorId: string,
  category: CategoryCode | null
): Promise<Buffer | undefined> {
  const sector = isStorable(sectorId) ? await findSectorState(eventId, sectorId) : undefined
  if (!sector) return undefined
  const states = sector.seats === '' ? [] : sector.seats.split(',')
  const layout = await layoutOf(eventId, sectorId, sector, states.length)
  // Seats were added between the two reads.
  if (layout.heads.length !== states.length) return readBody(eventId, sectorId, category)
  return compose(layout, states, category)
}

const isStorable = (text: string) => text.length <= 200 && !text.includes('\0')

interface Layout {
  /** `{"sector_id":…,` of each seat, up to its status. */
  heads: Buffer[]
  categories: CategoryCode[]
}

const layouts = new Map<string, Layout>()
const MAX_LAYOUTS = 500

async function layoutOf(eventId: string, sectorId: string, sector: SectorState, size: number) {
  const key = `${eventId}:${sector.id}:${JSON.stringify(sector.category_names)}`
  const known = layouts.get(key)
  if (known?.heads.length === size) return known
  const seats = await listSectorLayout(eventId, sector.id)
  const layout = {
    heads: seats.map((seat) => renderLayout(seat, sectorId, sector.category_names)),
    categories: seats.map((seat) => seat.category_code),
  }
  if (layouts.size >= MAX_LAYOUTS) layouts.clear()
  layouts.set(key, layout)
  return layout
}

function renderLayout(
  { category_code: code, ...seat }: SeatLayout,
  sectorId: string,
  names: Names
) {
  const category = { category_code: code, category_name: names[code] ?? { ru: code } }
  const facts = JSON.stringify({ sector_id: sectorId, ...seat, ...category })
  return Buffer.from(`${facts.slice(0, -1)},`)
}

type Names = SectorState['category_names']

const STATUSES: Record<string, string> = { f: 'free', h: 'held', s: 'sold', b: 'blocked' }
const renderedStates = new Map<string, Buffer>()
const MAX_STATES = 10_000

/** The rest of a seat by its state: `f12000` is free and costs 12,000 tenge. */
function renderState(state: string): Buffer {
  const known = renderedStates.get(state)
  if (known) return known
  const status = STATUSES[state[0]]
  const price = state.length > 1 ? Number(state.slice(1)) : null
  const now = { status, is_sellable: status === 'free' && price !== null, price_tenge: price }
  const rendered = Buffer.from(`${JSON.stringify(now).slice(1)},`)
  if (renderedStates.size >= MAX_STATES) renderedStates.clear()
  renderedStates.set(state, rendered)
  return rendered
}

function compose(layout: Layout, states: string[], category: CategoryCode | null) {
  const seats: Buffer[] = []
  for (const [index, state] of states.entries()) {
    if (category === null || layout.categories[index] === category)
      seats.push(layout.heads[index], renderState(state))
  }
  const total = seats.length / 2
  const last = seats.pop()
  if (last) seats.push(last.subarray(0, -1))
  const end = `],"meta":${JSON.stringify({ total, limit: total, offset: 0 })}}`
  return Buffer.concat([Buffer.from('{"data":['), ...seats, Buffer.from(end)])
}
