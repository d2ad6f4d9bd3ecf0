import type { LocalizedText } from '~/texts/texts'

export const STATES = ['free', 'held', 'sold', 'blocked'] as const
export type SeatState = (typeof STATES)[number]

/** What the server tells of an event's seats once (`app/back_office/seat_plan/read_plan.ts`). */
export interface PlanSeats {
  sectors: { code: string; name: LocalizedText }[]
  rows: { label: string; sector: number }[]
  categories: { code: string; name: LocalizedText | null }[]
  seats: [
    spaceId: string,
    label: string,
    row: number,
    category: number,
    priceTenge: number | null,
  ][]
}

/** Where each seat is drawn, in the units of the plan. */
export interface Places {
  x: Float32Array
  y: Float32Array
  /** Half the width. */
  r: Float32Array
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** What the plan draws beside the seats: the stage, names, walls. */
export interface Scenery {
  image: HTMLImageElement
  box: Box
}

export type Counts = Record<SeatState, number>

export const noCounts = (): Counts => ({ free: 0, held: 0, sold: 0, blocked: 0 })
