import ImportHall from '#catalog/actions/import_hall'
import { TESTER, anEvent, type EventOptions } from '#tests/support/fixtures'
import { randomUUID } from 'node:crypto'

const SEATS_IN_ROW = 25
let hallId: Promise<number> | undefined

export const BIG_HALL_SEATS = Array.from(
  { length: 500 },
  (_, index) => `seat-${Math.floor(index / SEATS_IN_ROW) + 1}-${(index % SEATS_IN_ROW) + 1}`
)

/** An event with 500 seats at one price: `seat-1-1` … `seat-20-25`. */
export async function aBigEvent(options: EventOptions = {}) {
  hallId ??= importBigHall()
  return anEvent({ hallId: await hallId, prices: { standard: 12_000n }, ...options })
}

async function importBigHall() {
  const lines = BIG_HALL_SEATS.map((id) => {
    const [, row, seat] = id.split('-')
    return `${id},sector-main,Партер,,,row-${row},${row},${seat},standard`
  })
  const header =
    'space_id,sector_id,sector_ru,sector_kk,sector_en,row_id,row_label,seat_label,category_code'
  const shapes = BIG_HALL_SEATS.map((id) => `<circle id="${id}" r="1"/>`).join('')
  const hall = await new ImportHall().handle({
    venue: { name: { ru: 'Большая площадка' } },
    name: { ru: 'Большой зал' },
    planSvg: `<svg xmlns="http://www.w3.org/2000/svg"><title>${randomUUID()}</title>${shapes}</svg>`,
    seatsCsv: [header, ...lines].join('\n'),
    actor: TESTER,
  })
  return hall.hallId
}
