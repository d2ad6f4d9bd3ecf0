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
 * The answer for a sector's seats as bytes, read anew for whoever asks and shared by those who ask at once;
 * undefined when the hall has no such sector. It is the largest answer there is, so it is put together from bytes:
 * what never changes about a seat is rendered once and remembered, status and price are read each time.
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
  // Seats were added between the two reads: look again.
  if (layout.heads.length !== states.length) return readBody(eventId, sectorId, category)
  return compose(layout, states, category)
}

const isStorable = (text: string) => text.length <= 200 && !text.includes('\0')

interface Layout {
  /** `{"sector_id":…,` of each seat, up to what is read anew. */
  heads: Buffer[]
  categories: CategoryCode[]
}

const layouts = new Map<string, Layout>()
const MAX_REMEMBERED = 500

async function layoutOf(eventId: string, sectorId: string, sector: SectorState, size: number) {
  const key = `${eventId}:${sector.id}:${JSON.stringify(sector.category_names)}`
  const known = layouts.get(key)
  if (known?.heads.length === size) return known
  const seats = await listSectorLayout(eventId, sector.id)
  const layout = {
    heads: seats.map((seat) => head(seat, sectorId, sector.category_names)),
    categories: seats.map((seat) => seat.category_code),
  }
  if (layouts.size >= MAX_REMEMBERED) layouts.clear()
  layouts.set(key, layout)
  return layout
}

function head({ category_code: code, ...seat }: SeatLayout, sectorId: string, names: Names) {
  const category = { category_code: code, category_name: names[code] ?? { ru: code } }
  const facts = JSON.stringify({ sector_id: sectorId, ...seat, ...category })
  return Buffer.from(`${facts.slice(0, -1)},`)
}

type Names = SectorState['category_names']

const STATUSES: Record<string, string> = { f: 'free', h: 'held', s: 'sold', b: 'blocked' }
const tails = new Map<string, Buffer>()
const MAX_TAILS = 10_000

/** The rest of a seat from what was read of it: `f12000` is free for 12,000 tenge. */
function tail(state: string): Buffer {
  const known = tails.get(state)
  if (known) return known
  const status = STATUSES[state[0]]
  const price = state.length > 1 ? Number(state.slice(1)) : null
  const now = { status, is_sellable: status === 'free' && price !== null, price_tenge: price }
  const rendered = Buffer.from(`${JSON.stringify(now).slice(1)},`)
  if (tails.size >= MAX_TAILS) tails.clear()
  tails.set(state, rendered)
  return rendered
}

function compose(layout: Layout, states: string[], category: CategoryCode | null) {
  const seats: Buffer[] = []
  for (const [index, state] of states.entries()) {
    if (category === null || layout.categories[index] === category)
      seats.push(layout.heads[index], tail(state))
  }
  const total = seats.length / 2
  const last = seats.pop()
  if (last) seats.push(last.subarray(0, -1))
  const end = `],"meta":${JSON.stringify({ total, limit: total, offset: 0 })}}`
  return Buffer.concat([Buffer.from('{"data":['), ...seats, Buffer.from(end)])
}
