import type { Scene, View } from './painter'
import type { Box } from './plan'

/** A tap near a small seat counts as on it. */
const NEAR_PX = 6

/** The nearest seat at a point of the window; none that is faint. */
export function seatAt({ places, isFaint }: Scene, view: View, x: number, y: number) {
  const px = view.x + x / view.scale
  const py = view.y + y / view.scale
  let nearest: number | null = null
  let least = Infinity
  for (let index = 0; index < places.x.length; index++) {
    const distance = Math.hypot(places.x[index] - px, places.y[index] - py)
    const reach = Math.max(places.r[index] * 1.2, NEAR_PX / view.scale)
    if (distance > reach || distance >= least || isFaint[index]) continue
    nearest = index
    least = distance
  }
  return nearest
}

/** The seats within a frame of the window; none that is faint. */
export function seatsIn({ places, isFaint }: Scene, view: View, frame: Box): number[] {
  const [left, top] = [view.x + frame.x / view.scale, view.y + frame.y / view.scale]
  const [right, bottom] = [left + frame.width / view.scale, top + frame.height / view.scale]
  const found: number[] = []
  for (let index = 0; index < places.x.length; index++) {
    const [px, py] = [places.x[index], places.y[index]]
    const isIn = px >= left && px <= right && py >= top && py <= bottom
    if (isIn && !isFaint[index]) found.push(index)
  }
  return found
}
