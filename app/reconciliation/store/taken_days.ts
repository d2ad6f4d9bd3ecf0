import type { Period } from '#ledger/periods'
import { localDay, MINUTE_MS } from '#shared/days'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

/**
 * The confirmed registers of a source that stand in the way of a new one.
 *
 * Example, of a new register for 1–30 November:
 *   confirmed 3–9 November          lies within: replaced, once a person has named it
 *   confirmed 28 Nov – 4 December   reaches beyond: refused, as 1–4 December would be lost
 */
export interface TakenDays {
  id: number
  fileName: string
  from: Date
  to: Date
  version: number
  dayShiftMinutes: number
}
/** A first and a last day, both included. */
export interface DayRange {
  from: string
  to: string
}
/** A register in the way, as people read it. */
export interface OverlappingRegister extends DayRange {
  id: number
  file: string
}

const OVERLAPPING = `SELECT id, file_name AS "fileName", period_from AS "from", period_to AS "to", version, day_shift_minutes AS "dayShiftMinutes"
  FROM partner_registers
 WHERE source_id = :sourceId AND state = 'confirmed' AND id <> :id AND period_from < :to AND period_to > :from
 ORDER BY id`

type Params = Period & { id: number; sourceId: number }
const selectOverlapping = statement<TakenDays, Params>('registers_overlapping', OVERLAPPING)
// The caller holds the source: no other register of it is confirmed meanwhile.
const lockOverlapping = statement<TakenDays, Params>(
  'registers_lock_overlapping',
  `${OVERLAPPING} FOR NO KEY UPDATE`
)

export const findOverlapping = ({ id, sourceId, from, to }: Params, client?: QueryClientContract) =>
  selectOverlapping({ id, sourceId, from, to }, client)

export const lockTakenDays = ({ id, sourceId, from, to }: Params, trx: TransactionClientContract) =>
  lockOverlapping({ id, sourceId, from, to }, trx)

/**
 * Refuses REGISTER_DAYS_LOST for registers that reach beyond the new one's days, and REGISTER_DAYS_TAKEN for those that are not
 * among `replaces`.
 */
export function assertReplaceable(
  period: Period,
  overlapping: readonly TakenDays[],
  replaces: readonly number[]
) {
  const beyond = overlapping
    .map((one) => ({ ...shownRegister(one), lost: lostDays(period, one) }))
    .filter(({ lost }) => lost.length > 0)
  if (beyond.length > 0) refuse('REGISTER_DAYS_LOST', { registers: beyond })
  const unnamed = overlapping.filter(({ id }) => !replaces.includes(id))
  if (unnamed.length > 0) refuse('REGISTER_DAYS_TAKEN', { registers: unnamed.map(shownRegister) })
}

export const shownRegister = ({
  id,
  fileName,
  dayShiftMinutes,
  ...period
}: TakenDays): OverlappingRegister => ({ id, file: fileName, ...daysOf(period, dayShiftMinutes) })

/** The days of an older register before and after those of the new one. */
export function lostDays(period: Period, older: Period & { dayShiftMinutes: number }): DayRange[] {
  const { from, to, dayShiftMinutes } = older
  const before = from < period.from ? [daysOf({ from, to: period.from }, dayShiftMinutes)] : []
  const after = to > period.to ? [daysOf({ from: period.to, to }, dayShiftMinutes)] : []
  return [...before, ...after]
}

/** The first and the last day of a period, whose days begin so much later than at the venues. */
export function daysOf({ from, to }: Period, dayShiftMinutes: number): DayRange {
  const shift = dayShiftMinutes * MINUTE_MS
  return {
    from: localDay(new Date(from.getTime() - shift)),
    to: localDay(new Date(to.getTime() - shift - 1)),
  }
}
