import platform from '#config/platform'
import { mayBePayment } from '#staff_area/payment_text'
import { statement } from '#shared/statement'

/** Orders that a list of them looks through. */
export const MOST_FOUND = 200
/**
 * A name that more orders have is searched for among so many newest orders; the index of names would read all that have it. PostgreSQL
 * says how many it expects; when too few of the newest have the name, its index is read after all, up to so many orders in any order.
 */
const MANY = 50_000

interface Asked {
  text: string
  /** Order numbers that it may be short for. */
  numbers: string[]
  /** Of a buyer's name, as PostgreSQL searches for words; null for a text that can't be one. */
  words: string | null
  phone: string
  most: number
  /** A name is common that more orders have. */
  many: number
}

/** Without OFFSET 0 PostgreSQL would rather read all orders by time until it has found enough. */
const newest = (condition: string) =>
  `(SELECT id FROM (SELECT id, created_at FROM orders WHERE ${condition} OFFSET 0) matching ORDER BY created_at DESC, id DESC LIMIT :most)`

const OF_NAME = `customer ->> 'name' IS NOT NULL AND to_tsvector('simple', customer ->> 'name') @@ to_tsquery('simple', :words)`

const BY_TIME = 'ORDER BY created_at DESC, id DESC LIMIT'
const ofName = `(
  WITH common AS MATERIALIZED (
    SELECT CASE WHEN :words::text IS NOT NULL THEN expected_orders_of_name(:words) > :many END AS is_common),
  recent AS MATERIALIZED (
    SELECT id, created_at FROM (SELECT * FROM orders WHERE (SELECT is_common FROM common) ${BY_TIME} ${MANY}) newest
     WHERE ${OF_NAME} ${BY_TIME} :most),
  named AS MATERIALIZED (
    SELECT id, created_at FROM orders WHERE (SELECT count(*) FROM recent) < :most AND ${OF_NAME} LIMIT ${MANY}),
  found AS (SELECT * FROM recent UNION SELECT * FROM named)
  SELECT id FROM found ${BY_TIME} :most)`

// Each line uses one index with the exact text; an e-mail and each word of a name match by their beginning. Of those that many share, the newest.
const find = statement<{ id: string }, Asked>(
  'back_office_find_orders',
  `SELECT id FROM (
     SELECT id FROM orders WHERE id = ANY (upper(:text) || :numbers::text[])
     UNION SELECT order_id FROM tickets WHERE number = upper(:text)
     UNION SELECT order_id FROM tickets WHERE id = :text
     UNION SELECT id FROM orders WHERE booking_id = :text
     UNION SELECT o.id FROM partners p JOIN orders o ON o.partner_id = p.id AND o.partner_order_id = :text
     UNION SELECT o.id FROM partners p JOIN bookings b ON b.partner_id = p.id AND b.partner_booking_id = :text
                       JOIN orders o ON o.booking_id = b.id
     UNION SELECT id FROM orders WHERE payment_external_id = :text
     UNION ${newest(`length(:text) >= 3 AND lower(customer ->> 'email') COLLATE "C" >= lower(:text)
                     AND lower(customer ->> 'email') COLLATE "C" < lower(:text) || U&'\\FFFF'`)}
     UNION ${newest(`:phone <> '' AND buyer_phone(customer) = :phone`)}
     UNION ${ofName}
   ) found`
)
// These are on their own: they look into every month, and few texts are one.
const findByRefusedPayment = statement<{ id: string }, { text: string; most: number }>(
  'back_office_find_orders_by_refused_payment',
  `SELECT DISTINCT order_id_sent AS id
     FROM (SELECT order_id_sent FROM confirm_attempts WHERE external_payment_id = :text AND http_status <> 200 LIMIT :most) refused`
)
const findByRequest = statement<{ id: string }, { requestId: string; most: number }>(
  'back_office_find_orders_by_request',
  `(SELECT order_id AS id FROM journal WHERE request_id = :requestId::uuid AND order_id IS NOT NULL LIMIT :most)
    UNION (SELECT order_id_sent FROM confirm_attempts WHERE request_id = :requestId::uuid AND http_status <> 200 LIMIT :most)`
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds orders by the text of the search box: number, also without its zeros, ticket, booking, the partner's own ids, payment
 * (also a refused one), e-mail or its beginning, words of the buyer's name or their beginnings, phone in any spelling, or the id
 * of a request that changed them. Of those that share a name, an e-mail's beginning or a phone, the newest `most`;
 * of a name that is rare of late, and was very common before, others may be among them.
 */
export async function findOrderIds(
  text: string,
  most = MOST_FOUND,
  many = MANY
): Promise<string[]> {
  const digits = text.replace(/\D/g, '')
  // Within Kazakhstan +7 701 … is dialled as 8 701 ….
  const phone = /^[+\d\s()-]{7,}$/.test(text) ? digits.replace(/^8(?=\d{10}$)/, '7') : ''
  const found = await Promise.all([
    find({
      text,
      numbers: orderNumbersOf(text, new Date().getUTCFullYear()),
      words: wordsOf(text),
      phone,
      most,
      many,
    }),
    mayBePayment(text) ? findByRefusedPayment({ text, most }) : [],
    UUID.test(text) ? findByRequest({ requestId: text, most }) : [],
  ])
  return found.flat().map(({ id }) => id)
}

/** Full numbers that a short one may mean: `2026-17` is TIX-2026-000017, and `17` is that of this year or the last one. */
export function orderNumbersOf(text: string, thisYear: number): string[] {
  const { prefix } = platform
  const [, year, number] =
    new RegExp(`^(?:${prefix}[- ]?)?(?:(\\d{4})[- ])?(\\d{1,9})$`, 'i').exec(text) ?? []
  if (number === undefined) return []
  const years = year === undefined ? [thisYear, thisYear - 1] : [Number(year)]
  return years.map((each) => `${prefix}-${each}-${number.padStart(6, '0')}`)
}

/** Words of a text that may be a name; each is searched for by its beginning. One word with a digit is a number of something. */
function wordsOf(text: string) {
  const isNumber = /^\S*\p{N}\S*$/u.test(text)
  const isName = /[\p{L}\p{N}]{3}/u.test(text) && !isNumber && !text.includes('@')
  const words = isName ? (text.match(/[\p{L}\p{N}]+/gu) ?? []) : []
  return words.length > 0 ? words.map((word) => `'${word}':*`).join(' & ') : null
}
