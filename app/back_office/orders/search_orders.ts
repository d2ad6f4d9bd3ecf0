import { statement } from '#shared/statement'

const MOST = 200

// Each line uses one index with the exact text; an e-mail matches by prefix.
const find = statement<
  { id: string },
  { text: string; phone: string; requestId: string | null; most: number }
>(
  'back_office_find_orders',
  `SELECT id FROM (
     SELECT id FROM orders WHERE id = upper(:text)
     UNION SELECT order_id FROM tickets WHERE number = upper(:text)
     UNION SELECT order_id FROM tickets WHERE id = :text
     UNION SELECT id FROM orders WHERE booking_id = :text
     UNION SELECT o.id FROM partners p JOIN orders o ON o.partner_id = p.id AND o.partner_order_id = :text
     UNION SELECT o.id FROM partners p JOIN bookings b ON b.partner_id = p.id AND b.partner_booking_id = :text
                       JOIN orders o ON o.booking_id = b.id
     UNION SELECT id FROM orders WHERE payment_external_id = :text
     UNION (SELECT order_id_sent FROM confirm_attempts WHERE external_payment_id = :text AND http_status <> 200 LIMIT :most)
     UNION (SELECT id FROM orders
             WHERE length(:text) >= 3 AND lower(customer ->> 'email') COLLATE "C" >= lower(:text)
               AND lower(customer ->> 'email') COLLATE "C" < lower(:text) || U&'\\FFFF' LIMIT :most)
     UNION (SELECT id FROM orders WHERE :phone <> '' AND buyer_phone(customer) = :phone LIMIT :most)
     UNION (SELECT order_id FROM journal WHERE request_id = :requestId::uuid AND order_id IS NOT NULL LIMIT :most)
     UNION (SELECT order_id_sent FROM confirm_attempts WHERE request_id = :requestId::uuid AND http_status <> 200 LIMIT :most)
   ) found LIMIT :most`
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds orders by the text of the search box: number, ticket, booking, the partner's own ids, payment (also a refused one),
 * e-mail or its beginning, phone in any spelling, or the id of a request that changed them.
 */
export async function findOrderIds(text: string): Promise<string[]> {
  const digits = text.replace(/\D/g, '')
  // Within Kazakhstan +7 701 … is dialled as 8 701 ….
  const phone = /^[+\d\s()-]{7,}$/.test(text) ? digits.replace(/^8(?=\d{10}$)/, '7') : ''
  const rows = await find({ text, phone, requestId: UUID.test(text) ? text : null, most: MOST })
  return rows.map(({ id }) => id)
}
