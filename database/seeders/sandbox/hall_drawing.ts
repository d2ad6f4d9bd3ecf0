import type { CategoryCode } from '#catalog/event_status'
import type { FullyLocalizedText } from '#shared/localized_text'
import { SEAT_LIST_COLUMNS } from '#catalog/seat_list'

export interface SectorLayout {
  code: string
  name: FullyLocalizedText
  /** The category of each row, starting at the stage. */
  rows: CategoryCode[]
  seatsPerRow: number
  /** Direction of the sector in degrees, 0 straight ahead of the stage, and its width in degrees. */
  angle: number
  spread: number
  radius: number
}

export interface HallLayout {
  title: string
  sectors: SectorLayout[]
  rowGap: number
  seatRadius: number
}

const STAGE = { width: 260, height: 60 }

interface DrawnSeat {
  id: string
  x: number
  y: number
  category: CategoryCode
}

/** The two files of a hall as staff upload them: an SVG plan whose element ids are the seats, and the CSV of its seats. */
export function drawHall(layout: HallLayout): { planSvg: string; seatsCsv: string } {
  const lines: string[] = [SEAT_LIST_COLUMNS.join(',')]
  const groups = layout.sectors.map((sector) => {
    const seats = seatsOf(sector, layout.rowGap, (line) => lines.push(line))
    return drawSector(sector, seats, layout.seatRadius)
  })
  return { planSvg: frame(layout, groups), seatsCsv: lines.join('\n') }
}

function seatsOf(sector: SectorLayout, rowGap: number, list: (line: string) => void): DrawnSeat[] {
  const { code, name, rows, seatsPerRow, angle, spread, radius } = sector
  return rows.flatMap((category, row) => {
    const distance = radius + row * rowGap
    return Array.from({ length: seatsPerRow }, (_, seat) => {
      const id = `seat-${code}-${row + 1}-${seat + 1}`
      const labels = [`row-${code}-${row + 1}`, row + 1, seat + 1, category]
      const names = [name.ru, name.kk, name.en].map((text) => `"${text}"`)
      list([id, `sector-${code}`, ...names, ...labels].join(','))
      const turn = angle - spread / 2 + (spread * (seat + 0.5)) / seatsPerRow
      const radians = (turn * Math.PI) / 180
      return { id, x: distance * Math.sin(radians), y: distance * Math.cos(radians), category }
    })
  })
}

const FILL: Record<CategoryCode, string> = {
  standard: '#5b8def',
  vip: '#c9971c',
  fan: '#d9534f',
  invitation: '#7a6ff0',
  service: '#8a8f98',
}

function drawSector({ code, name }: SectorLayout, seats: DrawnSeat[], size: number): string {
  const circles = seats.map(
    ({ id, x, y, category }) =>
      `<circle id="${id}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${size}" fill="${FILL[category]}"/>`
  )
  return `<g id="sector-${code}"><title>${name.ru}</title>\n${circles.join('\n')}\n</g>`
}

function frame({ title, sectors, rowGap }: HallLayout, groups: string[]): string {
  const reach =
    Math.max(...sectors.map((sector) => sector.radius + sector.rows.length * rowGap)) + 40
  const box = `${-reach} ${-STAGE.height - 20} ${2 * reach} ${reach + STAGE.height + 40}`
  const stage =
    `<rect x="${-STAGE.width / 2}" y="${-STAGE.height}" width="${STAGE.width}" height="${STAGE.height}" rx="8" fill="#30343b"/>` +
    `<text x="0" y="${-STAGE.height / 2}" fill="#ffffff" font-family="sans-serif" font-size="20" text-anchor="middle" dominant-baseline="middle">СЦЕНА · САХНА · STAGE</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}"><title>${title}</title>\n${stage}\n${groups.join('\n')}\n</svg>\n`
}
