import type { DayHour } from '#back_office/overview/overview_props'
import { localHour } from '~/texts/texts'

const HOURS = 24

/** The hours of a whole day; null where nothing happened. */
export const hoursOfDay = (hours: DayHour[]): (DayHour | null)[] =>
  Array.from({ length: HOURS }, (_, index) => hours.find(({ hour }) => hour === index) ?? null)

/** Those of today up to the present one. */
export const hoursSoFar = (hours: DayHour[]) => hoursOfDay(hours).slice(0, localHour() + 1)
