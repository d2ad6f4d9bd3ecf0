const DAY_FIRST = /^(\d{1,2})[./ -](\d{1,2})[./ -](\d{4}|\d{2})$/
const ISO = /^(\d{4})-(\d{2})-(\d{2})$/
const CENTURY = 2_000

/**
 * A day as people write it, day first in all our languages, as `2026-11-22`; null for what is no day.
 *
 *     22.11.2026, 22/11/26, 2026-11-22   2026-11-22
 *     31.02.2026, 11.2026, tomorrow      null
 */
export function typedDay(text: string): string | null {
  const [, isoYear, isoMonth, isoDay] = ISO.exec(text.trim()) ?? []
  if (isoYear) return realDay(Number(isoYear), Number(isoMonth), Number(isoDay))
  const [, day, month, year] = DAY_FIRST.exec(text.trim()) ?? []
  if (!year) return null
  return realDay(Number(year) + (year.length === 2 ? CENTURY : 0), Number(month), Number(day))
}

function realDay(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day))
  const isReal =
    at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isReal ? at.toISOString().slice(0, 'yyyy-mm-dd'.length) : null
}
