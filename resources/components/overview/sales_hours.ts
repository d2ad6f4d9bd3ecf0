export interface SalesHour {
  hour: string
  partner: string
  tenge: number
  orders: number
}

interface Part {
  partner: string
  color: string
  /** What lies below it. */
  from: number
  tenge: number
  orders: number
}

export interface Slot {
  /** The beginning of the hour, in milliseconds. */
  at: number
  tenge: number
  parts: Part[]
}

const HOUR_MS = 3_600_000
const HOURS = 24
// Told apart on white and on black.
const COLORS = [
  ...['#0d9488', '#3b82f6', '#d97706', '#a855f7'],
  ...['#f43f5e', '#65a30d', '#0ea5e9', '#ca8a04'],
]

/** The last 24 hours, each with what its partners have sold. */
export function hoursOf(sales: SalesHour[], now: number) {
  const names = [...new Set(sales.map(({ partner }) => partner))].toSorted((a, b) =>
    a.localeCompare(b)
  )
  const partners = names.map((name, index) => ({ name, color: COLORS[index % COLORS.length] }))
  const last = Math.floor(now / HOUR_MS) * HOUR_MS
  const slots = Array.from({ length: HOURS }, (_, index) => {
    const at = last - (HOURS - 1 - index) * HOUR_MS
    return slotOf(
      at,
      sales.filter(({ hour }) => Date.parse(hour) === at),
      partners
    )
  })
  return { partners, slots }
}

function slotOf(at: number, sales: SalesHour[], partners: { name: string; color: string }[]): Slot {
  let from = 0
  const parts: Part[] = []
  for (const { name, color } of partners) {
    const found = sales.find(({ partner }) => partner === name)
    if (!found || found.tenge === 0) continue
    parts.push({ partner: name, color, from, tenge: found.tenge, orders: found.orders })
    from += found.tenge
  }
  return { at, tenge: from, parts }
}
