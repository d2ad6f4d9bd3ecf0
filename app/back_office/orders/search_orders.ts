import { statement } from '#shared/statement'

const MOST = 200

// Each line asks one index for exactly what was typed; an e-mail may be its beginning.
const find = statement<{ id: string }>(
  'back_office_find_orders',
  `SELECT id FROM (
     SELECT id FROM orders WHERE id = upper($1)
     UNION SELECT order_id FROM tickets WHERE number = upper($1)
     UNION SELECT order_id FROM tickets WHERE id = $1
     UNION SELECT id FROM orders WHERE booking_id = $1
     UNION SELECT o.id FROM partners p JOIN orders o ON o.partner_id = p.id AND o.partner_order_id = $1
     UNION SELECT o.id FROM partners p JOIN bookings b ON b.partner_id = p.id AND b.partner_booking_id = $1
                       JOIN orders o ON o.booking_id = b.id
     UNION SELECT id FROM orders WHERE payment_external_id = $1
     UNION (SELECT id FROM orders
             WHERE length($1) >= 3 AND lower(customer ->> 'email') COLLATE "C" >= lower($1)
               AND lower(customer ->> 'email') COLLATE "C" < lower($1) || U&'\\FFFF' LIMIT $4)
     UNION (SELECT id FROM orders WHERE $2 <> '' AND buyer_phone(customer) = $2 LIMIT $4)
     UNION (SELECT order_id FROM journal WHERE request_id = $3::uuid AND order_id IS NOT NULL LIMIT $4)
     UNION (SELECT order_id_sent FROM confirm_attempts WHERE request_id = $3::uuid AND http_status <> 200 LIMIT $4)
   ) found LIMIT $4`
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Orders that one search box names: by number, ticket, booking, the partner's own ids, payment, e-mail or its beginning,
 * phone in any spelling, or the id of a request that did something to them.
 */
export async function findOrderIds(text: string): Promise<string[]> {
  const digits = text.replace(/\D/g, '')
  // 8 701 … is what +7 701 … is called at home.
  const phone = /^[+\d\s()-]{7,}$/.test(text) ? digits.replace(/^8(?=\d{10}$)/, '7') : ''
  const rows = await find([text, phone, UUID.test(text) ? text : null, MOST])
  return rows.map(({ id }) => id)
}
