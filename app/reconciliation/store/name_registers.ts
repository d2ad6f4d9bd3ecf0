import { partsOfRegisters } from '#reconciliation/store/register_parts'
import type { NumberedPart } from '#reconciliation/store/place_of_line'
import { statement } from '#shared/statement'

/** What people know a register by. */
export interface RegisterName {
  fileName: string
  source: string
  /** The first day, and the day after the last one, as the partner counts days. */
  from: Date
  to: Date
  /** Its sheets or files where it has several. */
  parts: NumberedPart[]
}

/** SQL: the days of the register `r`. */
export const REGISTER_DAYS = `r.period_from - r.day_shift_minutes * interval '1 minute' AS "from",
          r.period_to - r.day_shift_minutes * interval '1 minute' AS "to"`

const selectNames = statement<Omit<RegisterName, 'parts'> & { id: number }, { ids: number[] }>(
  'register_names',
  `SELECT r.id, r.file_name AS "fileName", s.name AS source, ${REGISTER_DAYS}
     FROM partner_registers r JOIN register_sources s ON s.id = r.source_id WHERE r.id = ANY (:ids::integer[])`
)

/** Names of registers, by their ids. */
export async function nameRegisters(ids: number[]): Promise<Record<number, RegisterName>> {
  if (ids.length === 0) return {}
  const [named, parts] = await Promise.all([selectNames({ ids }), partsOfRegisters(ids)])
  return Object.fromEntries(
    named.map(({ id, ...register }) => [id, { ...register, parts: parts[id] ?? [] }])
  )
}
