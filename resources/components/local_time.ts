import { HOUR_MS } from '~/texts/durations'

const OFFSET_MS = 5 * HOUR_MS

/** A moment by the venues' clock, as an input of date and time wants it: `2026-12-01T19:00`. */
export const toLocal = (iso: string | null) =>
  iso ? new Date(new Date(iso).getTime() + OFFSET_MS).toISOString().slice(0, 16) : ''
