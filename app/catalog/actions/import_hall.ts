import type { HallPlan } from '#catalog/hall_plan'
import { readHallInBackground, type HallReading } from '#catalog/read_hall'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import type { LocalizedText } from '#shared/localized_text'
import { newId } from '#shared/public_id'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface ImportHallInput {
  venue: { id: string } | { name: LocalizedText }
  name: LocalizedText
  planSvg: string
  seatsCsv: string
  actor: Actor
}

const findVenue = statement<{ id: string }, { venueId: string }>(
  'hall_venue_exists',
  'SELECT id FROM venues WHERE id = :venueId'
)
const insertVenue = statement<object, { id: string; venueName: unknown }>(
  'venue_insert',
  'INSERT INTO venues (id, name) VALUES (:id, :venueName)'
)
const insertHall = statement<
  { id: number },
  { venueId: string; name: unknown; svg: string; digest: string }
>(
  'hall_insert',
  'INSERT INTO halls (venue_id, name, plan_svg, plan_digest) VALUES (:venueId, :name, :svg, :digest) RETURNING id'
)
export const findHallByPlan = statement<{ id: number }, { digest: string }>(
  'hall_plan_twin',
  'SELECT id FROM halls WHERE plan_digest = :digest'
)

// Sectors, rows and seats are in the order of the list: the position of each is that of its first line.
const insertSeats = statement<object, { hallId: number; lines: string }>(
  'hall_insert_seats',
  `WITH line AS MATERIALIZED (
     SELECT * FROM json_to_recordset(:lines) AS line (
       position int, space_id text, sector_id text, sector_ru text, sector_kk text, sector_en text,
       row_id text, row_label text, seat_label text, category_code text)),
   sector AS (
     INSERT INTO sectors (hall_id, public_id, name, position)
     SELECT DISTINCT ON (sector_id) :hallId::int, sector_id,
            jsonb_strip_nulls(jsonb_build_object('ru', sector_ru, 'kk', NULLIF(sector_kk, ''), 'en', NULLIF(sector_en, ''))),
            position
       FROM line ORDER BY sector_id, position
     RETURNING id, public_id),
   hall_row AS (
     INSERT INTO hall_rows (sector_id, public_id, label, position)
     SELECT DISTINCT ON (sector.id, row_id) sector.id, row_id, row_label, position
       FROM line JOIN sector ON sector.public_id = line.sector_id
      ORDER BY sector.id, row_id, position
     RETURNING id, sector_id, public_id)
   INSERT INTO hall_seats (hall_id, row_id, space_id, label, category_code, position)
   SELECT :hallId::int, hall_row.id, space_id, seat_label, category_code, position
     FROM line JOIN sector ON sector.public_id = line.sector_id
     JOIN hall_row ON hall_row.sector_id = sector.id AND hall_row.public_id = line.row_id`
)

/** Imports a hall from its SVG plan and its seat list; every seat must be an element of the plan. */
export default class ImportHall {
  async handle({ venue, name, planSvg, seatsCsv, actor }: ImportHallInput) {
    const reading = await readHallInBackground({ planSvg, seatsCsv })
    const plan = assertWithoutProblems(reading)
    const { seats } = reading
    return transaction(async (trx) => {
      const existing = await findHallByPlan.first({ digest: plan.digest }, trx)
      if (existing) refuse('ALREADY_EXISTS', { what: `hall ${existing.id} has the same plan` })
      const venueId = await this.#venueOf(venue, trx)
      const hall = await insertHall.one({ venueId, name, svg: plan.svg, digest: plan.digest }, trx)
      const lines = seats.map((seat, position) => ({ ...seat, position }))
      await insertSeats({ hallId: hall.id, lines: JSON.stringify(lines) }, trx)
      await record('hall_imported', { hall_id: hall.id, seats: seats.length }, { actor }, trx)
      return { hallId: hall.id, venueId, seats: seats.length }
    })
  }

  async #venueOf(venue: ImportHallInput['venue'], trx: TransactionClientContract) {
    if ('id' in venue) {
      if (!(await findVenue.first({ venueId: venue.id }, trx)))
        refuse('NO_SUCH', { what: `venue ${venue.id}` })
      return venue.id
    }
    const id = newId('ven')
    await insertVenue({ id, venueName: venue.name }, trx)
    return id
  }
}

const MAX_PROBLEMS = 50
const MAX_UNDRAWN = 20

function assertWithoutProblems({ plan, planProblem, problems, undrawn }: HallReading): HallPlan {
  if (!plan) refuse('INVALID_PARAMETERS', { fields: [planProblem!] })
  const inList = problems.slice(0, MAX_PROBLEMS).map(({ line, column, rule, message }) => {
    return { field: line === null ? column : `line ${line}: ${column}`, rule, message }
  })
  const notInPlan = undrawn.slice(0, MAX_UNDRAWN).map((id) => {
    return { field: id, rule: 'drawn', message: `The plan has no element with the id ${id}` }
  })
  const fields = inList.length > 0 ? inList : notInPlan
  if (fields.length > 0) refuse('INVALID_PARAMETERS', { fields })
  return plan
}
