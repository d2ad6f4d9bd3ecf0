import type { PlanSeats, SeatNow } from '#back_office/seat_plan/seat_plan_props'

export type { PlanSeats }

export const STATES = ['free', 'held', 'sold', 'blocked'] as const satisfies SeatNow['status'][]
export type SeatState = (typeof STATES)[number]

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

/** What the plan draws besides the seats: the stage, names, walls. */
export interface Scenery {
  image: HTMLImageElement
  box: Box
}

export type Counts = Record<SeatState, number>

export const noCounts = (): Counts => ({ free: 0, held: 0, sold: 0, blocked: 0 })
