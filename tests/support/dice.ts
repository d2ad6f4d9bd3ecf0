/** Draws whole numbers from 0 up to but not including `below`: always the same ones for a seed. */
export type Dice = (below: number) => number

/** The minimal standard generator of Park and Miller, with a multiplier that spreads seeds that are close together. */
export function dice(seed: number): Dice {
  let state = (seed * 2_654_435_761) % 2_147_483_647 || 1
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}
