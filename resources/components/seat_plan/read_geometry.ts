import type { Box, Places, PlanSeats, Scenery } from './plan'

const SVG = 'http://www.w3.org/2000/svg'
const GRID_GAP = 10

/** Reads where the seats are from the hall's SVG; seats that it doesn't place stand in rows below. */
export async function readGeometry(url: string | null, plan: PlanSeats) {
  const root = url ? await loadSvg(url) : null
  const places = emptyPlaces(plan.seats.length)
  const lost = root ? placeByDrawing(root, plan, places) : plan.seats.map((_, index) => index)
  const drawn = boxOf(places, new Set(lost))
  standInRows(lost, plan, places, drawn)
  const scenery = root ? await sceneryOf(root, drawn) : null
  return { places, scenery }
}

const emptyPlaces = (count: number): Places => ({
  x: new Float32Array(count),
  y: new Float32Array(count),
  r: new Float32Array(count),
})

async function loadSvg(url: string): Promise<SVGSVGElement> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The plan answers ${response.status}`)
  const parsed = new DOMParser().parseFromString(await response.text(), 'image/svg+xml')
  return parsed.documentElement as unknown as SVGSVGElement
}

/** Takes each seat's shape out of the drawing; returns the seats that have no shape of any size. */
function placeByDrawing(root: SVGSVGElement, plan: PlanSeats, places: Places): number[] {
  const shapes = new Map<string, SVGGraphicsElement>()
  for (const element of root.querySelectorAll<SVGGraphicsElement>('[id^="seat-"]'))
    shapes.set(element.id, element)
  const measure = measurer(root)
  const lost: number[] = []
  const seen = new Set<string>()
  plan.seats.forEach(([spaceId], index) => {
    const shape = shapes.get(spaceId)
    const box = shape && measure.boxOf(shape)
    const spot = box && `${box.x} ${box.y}`
    if (!box || seen.has(spot!) || box.width + box.height === 0) return void lost.push(index)
    seen.add(spot!)
    places.x[index] = box.x + box.width / 2
    places.y[index] = box.y + box.height / 2
    places.r[index] = Math.min(box.width || box.height, box.height || box.width) / 2
  })
  measure.end()
  for (const [spaceId] of plan.seats) shapes.get(spaceId)?.remove()
  return lost
}

/** Simple shapes are measured by their numbers; only others make the browser lay the drawing out. */
function measurer(root: SVGSVGElement) {
  const matrices = new Map<Element, DOMMatrix>()
  let host: HTMLElement | undefined

  function matrixOf(element: Element): DOMMatrix {
    const known = matrices.get(element)
    if (known) return known
    const parent = element.parentElement
    const above = parent && element !== (root as Element) ? matrixOf(parent) : new DOMMatrix()
    const own = element.hasAttribute('transform')
      ? (element as SVGGraphicsElement).transform?.baseVal.consolidate()?.matrix
      : undefined
    const matrix = own ? above.multiply(DOMMatrix.fromMatrix(own)) : above
    // A seat is asked for once, its group for every seat.
    if (element.childElementCount > 0) matrices.set(element, matrix)
    return matrix
  }

  function layOut() {
    if (host) return
    host = document.createElement('div')
    host.style.cssText = 'position:absolute;width:0;height:0;overflow:hidden;opacity:0'
    document.adoptNode(root)
    host.append(root)
    document.body.append(host)
  }

  function ownBox(shape: SVGGraphicsElement): Box {
    const at = (name: string) => Number(shape.getAttribute(name) ?? 0) || 0
    if (shape.localName === 'circle') return around(at('cx'), at('cy'), at('r'), at('r'))
    if (shape.localName === 'ellipse') return around(at('cx'), at('cy'), at('rx'), at('ry'))
    if (shape.localName === 'rect')
      return { x: at('x'), y: at('y'), width: at('width'), height: at('height') }
    layOut()
    return shape.getBBox()
  }

  return {
    boxOf(shape: SVGGraphicsElement): Box {
      const box = ownBox(shape)
      const matrix = matrixOf(shape)
      if (matrix.isIdentity) return box
      const corners = [
        [box.x, box.y],
        [box.x + box.width, box.y + box.height],
      ].map(([x, y]) => matrix.transformPoint({ x, y }))
      const [a, b] = corners
      // A turned seat keeps its size: its own width, scaled.
      const scale = Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c))
      return around(
        (a.x + b.x) / 2,
        (a.y + b.y) / 2,
        (box.width * scale) / 2,
        (box.height * scale) / 2
      )
    },
    end: () => host?.remove(),
  }
}

const around = (x: number, y: number, rx: number, ry: number): Box => ({
  x: x - rx,
  y: y - ry,
  width: 2 * rx,
  height: 2 * ry,
})

/** The smallest box around all seats that are not left out. */
export function boxOf({ x, y, r }: Places, without = new Set<number>(), only?: number[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  const reach = (index: number) => {
    if (without.has(index)) return
    left = Math.min(left, x[index] - r[index])
    top = Math.min(top, y[index] - r[index])
    right = Math.max(right, x[index] + r[index])
    bottom = Math.max(bottom, y[index] + r[index])
  }
  if (only) only.forEach(reach)
  else x.forEach((_, index) => reach(index))
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

function standInRows(lost: number[], { seats, rows }: PlanSeats, places: Places, below: Box) {
  let y = below.height > 0 ? below.y + below.height + 4 * GRID_GAP : 0
  let row = -1
  let column = 0
  for (const index of lost) {
    const itsRow = seats[index][2]
    if (itsRow !== row) {
      if (row !== -1) y += rows[itsRow].sector === rows[row].sector ? GRID_GAP : 3 * GRID_GAP
      row = itsRow
      column = 0
    }
    places.x[index] = below.x + column++ * GRID_GAP
    places.y[index] = y
    places.r[index] = GRID_GAP * 0.4
  }
}

/** The rest of the drawing, as a picture under the seats. */
async function sceneryOf(root: SVGSVGElement, drawn: Box): Promise<Scenery | null> {
  const box = viewBoxOf(root) ?? drawn
  if (box.width <= 0 || box.height <= 0) return null
  root.setAttribute('xmlns', SVG)
  root.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`)
  root.setAttribute('width', String(box.width))
  root.setAttribute('height', String(box.height))
  root.setAttribute('preserveAspectRatio', 'none')
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`
  // A picture that can't be shown must not keep the seats from being shown.
  return image.decode().then(
    () => ({ image, box }),
    () => null
  )
}

function viewBoxOf(root: SVGSVGElement): Box | null {
  const numbers = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  if (numbers.length !== 4 || numbers.some(Number.isNaN)) return null
  const [x, y, width, height] = numbers
  return { x, y, width, height }
}
