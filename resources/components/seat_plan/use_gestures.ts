import { ref } from 'vue'
import type { Camera } from './camera'
import { seatAt, seatsIn } from './find_seats'
import type { Scene } from './painter'
import type { Box } from './plan'

type Point = { x: number; y: number }
export type How = 'only' | 'toggle' | 'add'

/** A press that moves less is a click. */
const CLICK_PX = 5
const LINE_PX = 30
const ZOOM_PER_PX = 0.0015

/** Mouse, pen and touch gestures on the plan: move, zoom, choose seats. */
export function useGestures(options: {
  canvas: () => HTMLCanvasElement
  camera: Camera
  scene: () => Scene
  /** Dragging draws a frame round seats instead of moving the plan. */
  isChoosing: () => boolean
  choose: (indexes: number[], how: How) => void
}) {
  const { canvas, camera, scene, isChoosing, choose } = options
  const lasso = ref<Box | null>(null)
  const pointed = ref<(Point & { index: number }) | null>(null)
  const pointers = new Map<number, Point>()
  let pressed: (Point & { isLasso: boolean; hasMoved: boolean }) | null = null

  function at({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = canvas().getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }

  function press(event: PointerEvent) {
    if (event.button !== 0) return
    canvas().setPointerCapture(event.pointerId)
    const point = at(event)
    pointers.set(event.pointerId, point)
    const isLasso = (isChoosing() || event.shiftKey) && pointers.size === 1
    pressed = { ...point, isLasso, hasMoved: pointers.size > 1 }
    pointed.value = null
  }

  function drag(event: PointerEvent) {
    const now = at(event)
    const before = pointers.get(event.pointerId)
    if (!before || !pressed) return name(event, now)
    const isFar = Math.hypot(now.x - pressed.x, now.y - pressed.y) > CLICK_PX
    if (pointers.size === 2) pinch(event.pointerId, before, now)
    else if (!isFar && !pressed.hasMoved) return
    else if (pressed.isLasso) lasso.value = between(pressed, now)
    else camera.move(now.x - before.x, now.y - before.y)
    pressed.hasMoved = true
    pointers.set(event.pointerId, now)
  }

  function pinch(id: number, before: Point, now: Point) {
    const [, other] = [...pointers].find(([one]) => one !== id)!
    const was = Math.hypot(before.x - other.x, before.y - other.y)
    const is = Math.hypot(now.x - other.x, now.y - other.y)
    camera.move((now.x - before.x) / 2, (now.y - before.y) / 2)
    if (was > 0) camera.zoom(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2)
    lasso.value = null
  }

  /** A mouse that rests over a seat gets its label. */
  function name({ pointerType }: PointerEvent, { x, y }: Point) {
    const index = pointerType === 'mouse' ? seatAt(scene(), camera.view, x, y) : null
    pointed.value = index === null ? null : { index, x, y }
  }

  function release(event: PointerEvent) {
    const begun = pressed
    pointers.delete(event.pointerId)
    if (pointers.size > 0 || !begun) return
    pressed = null
    const adds = event.shiftKey || event.ctrlKey || event.metaKey
    if (lasso.value) {
      choose(seatsIn(scene(), camera.view, lasso.value), adds ? 'add' : 'only')
      lasso.value = null
    } else if (!begun.hasMoved) {
      const index = seatAt(scene(), camera.view, begun.x, begun.y)
      if (index !== null) choose([index], adds ? 'toggle' : 'only')
      else if (!adds) choose([], 'only')
    }
  }

  function cancel(event: PointerEvent) {
    pointers.delete(event.pointerId)
    pressed = null
    lasso.value = null
  }

  function wheel(event: WheelEvent) {
    const { x, y } = at(event)
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1
    camera.zoom(Math.exp(-event.deltaY * pixels * ZOOM_PER_PX), x, y)
  }

  return { lasso, pointed, press, drag, release, cancel, wheel }
}

const between = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})
