import type { View } from './painter'
import type { Box } from './plan'

export const ZOOM_STEP = 1.4
const MARGIN_PX = 24
const LEAST_SCALE = 0.02
const MOST_SCALE = 40

/** Which part of the plan the window shows. */
export class Camera {
  readonly view: View = { x: 0, y: 0, scale: 1 }
  /** What fills the window, until somebody moves or zooms. */
  #fitted: Box | null = null

  constructor(
    private readonly size: () => { width: number; height: number },
    /** `isMoving` while more of the same may follow at once. */
    private readonly onChange: (isMoving: boolean) => void
  ) {}

  fit(box: Box) {
    if (box.width === 0) return
    const { width, height } = this.size()
    const { view } = this
    this.#fitted = box
    view.scale = Math.min(
      (width - 2 * MARGIN_PX) / box.width,
      (height - 2 * MARGIN_PX) / box.height
    )
    view.x = box.x + box.width / 2 - width / 2 / view.scale
    view.y = box.y + box.height / 2 - height / 2 / view.scale
    this.onChange(false)
  }

  /** After the window has another size. */
  refit() {
    if (this.#fitted) this.fit(this.#fitted)
  }

  /** Zooms so that the point under `x, y` stays where it is. */
  zoom(by: number, x = this.size().width / 2, y = this.size().height / 2) {
    const { view } = this
    const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, view.scale * by))
    view.x += x / view.scale - x / scale
    view.y += y / view.scale - y / scale
    view.scale = scale
    this.#fitted = null
    this.onChange(true)
  }

  move(dx: number, dy: number) {
    this.view.x -= dx / this.view.scale
    this.view.y -= dy / this.view.scale
    this.#fitted = null
    this.onChange(true)
  }
}
