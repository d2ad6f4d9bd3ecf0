import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type pg from 'pg'
import type { Month } from './filled_month.ts'

const HEADINGS = ['Номер заказа партнёра', 'ID платежа', 'Сумма', 'Дата оплаты', 'Мероприятие']
/** What is promised to be read. */
export const MOST_ROWS = 200_000

interface Sold {
  own: string
  payment: string
  tenge: string
  paidAt: string
  title: string
}

/**
 * A register as a partner would send it, in cp1251 with semicolons: of the period's paid orders, with a wrong sum in
 * every fiftieth row, no payment in every two hundredth, letters of another size in every thousandth, an order that we
 * do not know in every three hundredth, and one in a hundred left out. Returns its number of rows.
 */
export async function writeRegister(
  database: pg.Client,
  { partnerId, from, to }: Pick<Month, 'partnerId' | 'from' | 'to'>,
  { path, rows: wanted }: { path: string; rows: number }
): Promise<number> {
  const { rows } = await database.query<Sold>(
    `SELECT o.partner_order_id AS own, o.payment_external_id AS payment, o.total_tenge::text AS tenge,
            to_char(o.payment_paid_at AT TIME ZONE '-05', 'DD.MM.YYYY HH24:MI:SS') AS "paidAt", e.title ->> 'ru' AS title
       FROM orders o JOIN events e ON e.id = o.event_id
      WHERE o.partner_id = $1 AND o.confirmed_at >= $2 AND o.confirmed_at < $3 ORDER BY o.created_at LIMIT $4`,
    [partnerId, from, to, Math.ceil(wanted * 1.02)]
  )
  const kept = rows.filter((_, n) => n % 100 !== 3).slice(0, wanted)
  const file = createWriteStream(path)
  file.write(cp1251(`${HEADINGS.join(';')}\r\n`))
  for (const [n, sold] of kept.entries()) file.write(cp1251(`${lineOf(sold, n)}\r\n`))
  file.end()
  await once(file, 'close')
  return kept.length
}

function lineOf({ own, payment, tenge, paidAt, title }: Sold, n: number) {
  const order = n % 300 === 6 ? `lost-${own}` : n % 1_000 === 5 ? own.toUpperCase() : own
  const paid = n % 300 === 6 ? `lost-${payment}` : n % 200 === 2 ? '' : payment
  const sum = n % 50 === 1 ? Number(tenge) + 1_000 : tenge
  return [order, paid, `${sum},00`, paidAt, title].join(';')
}

const LETTERS = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder('windows-1251').decode(Uint8Array.of(byte)),
    byte,
  ])
)

const cp1251 = (text: string) => Buffer.from(Array.from(text, (letter) => LETTERS.get(letter)!))
