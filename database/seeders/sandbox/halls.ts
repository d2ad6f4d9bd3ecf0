import type { CategoryCode } from '#catalog/event_status'
import type { HallLayout, SectorLayout } from './hall_drawing.js'

const rows = (...runs: [CategoryCode, number][]) =>
  runs.flatMap(([category, count]) => Array<CategoryCode>(count).fill(category))

/** 372 seats, six sectors, all five categories. */
export const CHAMBER_HALL: HallLayout = {
  title: 'Камерный зал',
  rowGap: 22,
  seatRadius: 8,
  sectors: [
    {
      code: 'fan',
      name: { ru: 'Фан-зона', kk: 'Фан-аймақ', en: 'Fan zone' },
      rows: rows(['fan', 4]),
      seatsPerRow: 18,
      angle: 0,
      spread: 100,
      radius: 130,
    },
    {
      code: 'parterre-left',
      name: { ru: 'Партер, левая сторона', kk: 'Партер, сол жақ', en: 'Stalls left' },
      rows: rows(['standard', 6]),
      seatsPerRow: 12,
      angle: -42,
      spread: 36,
      radius: 250,
    },
    {
      code: 'parterre',
      name: { ru: 'Партер, центр', kk: 'Партер, орта', en: 'Stalls centre' },
      rows: rows(['vip', 2], ['standard', 4]),
      seatsPerRow: 14,
      angle: 0,
      spread: 42,
      radius: 250,
    },
    {
      code: 'parterre-right',
      name: { ru: 'Партер, правая сторона', kk: 'Партер, оң жақ', en: 'Stalls right' },
      rows: rows(['standard', 6]),
      seatsPerRow: 12,
      angle: 42,
      spread: 36,
      radius: 250,
    },
    {
      code: 'boxes',
      name: { ru: 'Ложи', kk: 'Ложалар', en: 'Boxes' },
      rows: rows(['vip', 1], ['invitation', 1]),
      seatsPerRow: 16,
      angle: 0,
      spread: 120,
      radius: 420,
    },
    {
      code: 'balcony',
      name: { ru: 'Балкон', kk: 'Балкон', en: 'Balcony' },
      rows: rows(['standard', 1], ['service', 1]),
      seatsPerRow: 20,
      angle: 0,
      spread: 110,
      radius: 500,
    },
  ],
}

const RING = 20

/** 20,000 seats in twenty sectors of a thousand. */
export const ARENA: HallLayout = {
  title: 'Большая арена',
  rowGap: 11,
  seatRadius: 4,
  sectors: Array.from({ length: RING }, (_, index): SectorLayout => {
    const tier = index < RING / 2 ? 0 : 1
    const place = index % (RING / 2)
    const number = 101 + place + tier * 100
    return {
      code: `a${number}`,
      name: { ru: `Сектор ${number}`, kk: `${number}-сектор`, en: `Sector ${number}` },
      rows: tier === 0 ? rows(['vip', 5], ['standard', 20]) : rows(['standard', 20], ['fan', 5]),
      seatsPerRow: 40,
      angle: -81 + place * 18,
      spread: 16,
      radius: tier === 0 ? 1300 : 1640,
    }
  }),
}
