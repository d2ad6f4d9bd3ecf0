import type { Places, Scenery } from './plan'

export interface View {
  /** The point of the plan in the upper left corner. */
  x: number
  y: number
  /** Pixels of the screen for one unit of the plan. */
  scale: number
}

export interface Scene {
  places: Places
  scenery: Scenery | null
  labels: string[]
  /** The place of the state in `STATES`, a seat each. */
  states: Uint8Array
  isSelected: Uint8Array
  isFaint: Uint8Array
}

/** Seats beyond each edge that are painted as well, so that a pan only moves what is there. */
const MARGIN = 0.5
const LABEL_FROM = 9
const SHAPES_FROM = 2.5

const COLORS = {
  light: { seats: ['#0d9488', '#d97706', '#64748b', '#dc2626'], mark: '#0f172a', label: '#ffffff' },
  dark: { seats: ['#2dd4bf', '#fbbf24', '#64748b', '#f87171'], mark: '#f8fafc', label: '#0f172a' },
} as const

/**
 * Paints the seats on a sheet larger than the window and shows a part of it: 20,000 shapes are too many for every
 * frame, a picture that moves is not. An SVG of as many elements stutters at every step.
 */
export class Painter {
  #sheet = document.createElement('canvas')
  #at: (View & { width: number; height: number }) | null = null
  #sprites = new Map<string, HTMLCanvasElement>()
  #isDark = false
  #isStale = true

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly scene: Scene
  ) {}

  set isDark(isDark: boolean) {
    this.#isDark = isDark
    this.#sprites.clear()
    this.repaint()
  }

  /** Repaints everything at the next frame. */
  repaint() {
    this.#isStale = true
  }

  /** Shows the part of the plan that `view` names. `isMoving` allows a coarse picture, for a zoom under way. */
  show(view: View, isMoving: boolean) {
    const { width, height } = this.canvas
    if (width === 0 || height === 0) return
    const ratio = devicePixelRatio
    const asked = { x: view.x, y: view.y, scale: view.scale * ratio }
    const mayStretch = isMoving && !this.#isStale && this.#covers(asked, width, height)
    const fits = this.#at?.scale === asked.scale && this.#covers(asked, width, height)
    if (this.#isStale || (!fits && !mayStretch)) this.#paint(asked, width, height)
    const at = this.#at!
    const context = this.canvas.getContext('2d')!
    context.clearRect(0, 0, width, height)
    const stretch = asked.scale / at.scale
    const [x, y] = [(at.x - asked.x) * asked.scale, (at.y - asked.y) * asked.scale]
    context.imageSmoothingEnabled = stretch !== 1
    if (stretch === 1) context.drawImage(this.#sheet, Math.round(x), Math.round(y))
    else context.drawImage(this.#sheet, x, y, at.width * stretch, at.height * stretch)
  }

  #covers({ x, y, scale }: View, width: number, height: number) {
    const at = this.#at
    if (!at) return false
    const right = x + width / scale
    const bottom = y + height / scale
    const isBelow = x >= at.x && y >= at.y
    return isBelow && right <= at.x + at.width / at.scale && bottom <= at.y + at.height / at.scale
  }

  #paint({ x, y, scale }: View, width: number, height: number) {
    const [mx, my] = [Math.round(width * MARGIN), Math.round(height * MARGIN)]
    const at = {
      x: x - mx / scale,
      y: y - my / scale,
      scale,
      width: width + 2 * mx,
      height: height + 2 * my,
    }
    if (this.#sheet.width !== at.width || this.#sheet.height !== at.height)
      Object.assign(this.#sheet, { width: at.width, height: at.height })
    if (this.#at?.scale !== scale) this.#sprites.clear()
    this.#at = at
    this.#isStale = false
    const context = this.#sheet.getContext('2d')!
    context.clearRect(0, 0, at.width, at.height)
    this.#paintScenery(context)
    const { x: xs, y: ys, r } = this.scene.places
    xs.forEach((_, index) => {
      const half = r[index] * scale
      const px = (xs[index] - at.x) * scale
      const py = (ys[index] - at.y) * scale
      const isOut = px < -half || py < -half || px > at.width + half || py > at.height + half
      if (!isOut) this.#paintSeat(context, index, px, py, half)
    })
  }

  #paintScenery(context: CanvasRenderingContext2D) {
    const { scenery } = this.scene
    if (!scenery) return
    const { x, y, scale } = this.#at!
    const { image, box } = scenery
    const [left, top] = [(box.x - x) * scale, (box.y - y) * scale]
    context.drawImage(image, left, top, box.width * scale, box.height * scale)
  }

  #paintSeat(context: CanvasRenderingContext2D, index: number, x: number, y: number, half: number) {
    const { states, isSelected, isFaint, labels } = this.scene
    const look = `${states[index]}${isSelected[index]}${isFaint[index]}`
    const size = Math.max(1, Math.round(half * 2) / 2)
    const key = `${look} ${size}`
    let sprite = this.#sprites.get(key)
    if (!sprite)
      this.#sprites.set(
        key,
        (sprite = this.#draw(states[index], isSelected[index] === 1, isFaint[index] === 1, size))
      )
    context.drawImage(sprite, Math.round(x - sprite.width / 2), Math.round(y - sprite.height / 2))
    if (half < LABEL_FROM * devicePixelRatio || isFaint[index] === 1 || states[index] === 3) return
    const { label } = this.#colors
    context.fillStyle = states[index] === 1 ? '#0f172a' : label
    context.font = `600 ${Math.round(half * 0.9)}px system-ui, sans-serif`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillText(labels[index], x, y)
  }

  get #colors() {
    return COLORS[this.#isDark ? 'dark' : 'light']
  }

  /** One seat, drawn once and stamped many times; its shape shows the state as well as its colour. */
  #draw(state: number, isSelected: boolean, isFaint: boolean, half: number): HTMLCanvasElement {
    const sprite = document.createElement('canvas')
    const middle = Math.ceil(half) + 2
    sprite.width = sprite.height = 2 * middle
    const context = sprite.getContext('2d')!
    context.translate(middle, middle)
    context.globalAlpha = isFaint ? 0.15 : 1
    const { seats, mark } = this.#colors
    drawSeat(context, state, half, seats[state], SHAPES_FROM)
    if (isSelected) {
      context.globalAlpha = 1
      context.strokeStyle = mark
      context.lineWidth = Math.max(1.5, half * 0.3)
      context.strokeRect(-half, -half, 2 * half, 2 * half)
    }
    return sprite
  }
}

/** Shapes: free is a disc, held a ring, sold a square, blocked a crossed square. */
function drawSeat(
  context: CanvasRenderingContext2D,
  state: number,
  half: number,
  color: string,
  shapesFrom: number
) {
  context.fillStyle = color
  context.strokeStyle = color
  if (half < shapesFrom || state === 2) return context.fillRect(-half, -half, 2 * half, 2 * half)
  if (state === 3) {
    context.lineWidth = Math.max(1, half * 0.35)
    const edge = half * 0.8
    context.strokeRect(-edge, -edge, 2 * edge, 2 * edge)
    context.beginPath()
    context.moveTo(-edge, -edge)
    context.lineTo(edge, edge)
    context.moveTo(edge, -edge)
    context.lineTo(-edge, edge)
    return context.stroke()
  }
  context.beginPath()
  context.arc(0, 0, half, 0, 2 * Math.PI)
  context.fill()
  if (state === 1) {
    context.globalCompositeOperation = 'destination-out'
    context.beginPath()
    context.arc(0, 0, half * 0.35, 0, 2 * Math.PI)
    if (half < LABEL_FROM * devicePixelRatio) context.fill()
    context.globalCompositeOperation = 'source-over'
  }
}
