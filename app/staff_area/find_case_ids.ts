import { mayBePayment } from '#staff_area/payment_text'
import { statement } from '#shared/statement'

const MOST = 200

/**
 * Orders that the text names: by our id, the partner's, a payment or a request. Each line uses one index with the exact text.
 * An order id that was sent may be nobody's, and two partners may send the same one, so it counts for its sender alone.
 */
const NAMED = `
  SELECT NULL::integer AS partner_id, :text AS order_id
  UNION SELECT NULL, upper(:text)
  UNION SELECT o.partner_id, o.id FROM partners p JOIN orders o ON o.partner_id = p.id AND o.partner_order_id = :text
  UNION SELECT partner_id, id FROM orders WHERE payment_external_id = :text`
/** Both look into every month, and few texts are one. */
const NAMED_BY_REFUSED_PAYMENT = `
  SELECT partner_id, order_id_sent FROM confirm_attempts WHERE external_payment_id = :text AND http_status <> 200`
const NAMED_BY_REQUEST = `
  SELECT partner_id, order_id_sent FROM confirm_attempts WHERE request_id = :text::text::uuid AND http_status <> 200
  UNION SELECT partner_id, order_id FROM journal WHERE request_id = :text::text::uuid AND order_id IS NOT NULL`

const findAmong = (name: string, named: string) =>
  statement<{ id: number }, { text: string; caseId: number | null; most: number }>(
    name,
    `WITH named (partner_id, order_id) AS MATERIALIZED (SELECT * FROM (${named}) found LIMIT :most)
   SELECT DISTINCT id FROM (
     SELECT c.id FROM named n JOIN settlement_cases c
         ON c.order_ids @> ARRAY[n.order_id] AND c.partner_id = coalesce(n.partner_id, c.partner_id)
     UNION ALL SELECT c.id FROM named n JOIN partners p ON p.id = coalesce(n.partner_id, p.id)
                 JOIN settlement_cases c ON c.partner_id = p.id AND c.key = n.order_id
     UNION ALL SELECT c.id FROM named n JOIN settlement_defects d ON d.order_id = n.order_id
                 JOIN settlement_cases c ON c.id = d.case_id AND c.partner_id = coalesce(n.partner_id, c.partner_id)
     UNION ALL SELECT id FROM settlement_cases WHERE payment_ids @> ARRAY[:text]
     UNION ALL SELECT id FROM settlement_cases WHERE id = :caseId::integer
   ) found ORDER BY id DESC LIMIT :most`
  )
const find = findAmong('find_case_ids', NAMED)
const findPayment = findAmong(
  'find_case_ids_by_payment',
  `${NAMED} UNION ${NAMED_BY_REFUSED_PAYMENT}`
)
const findPaymentOrRequest = findAmong(
  'find_case_ids_by_request',
  `${NAMED} UNION ${NAMED_BY_REFUSED_PAYMENT} UNION ${NAMED_BY_REQUEST}`
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** `17`, `№ 17` or `No. 17`. */
const CASE_NUMBER = /^(?:№|No\.?|#)?\s*(\d{1,9})$/i

/**
 * Cases that a text names, the newest first: by their number, an order id of ours or as it was sent, the partner's order id, a
 * payment, or a request. Settled cases are found too, and those that the rules no longer find.
 */
export async function findCaseIds(text: string): Promise<number[]> {
  const [, number] = CASE_NUMBER.exec(text) ?? []
  const asked = { text, caseId: number ? Number(number) : null, most: MOST }
  const among = UUID.test(text) ? findPaymentOrRequest : mayBePayment(text) ? findPayment : find
  const rows = await among(asked)
  return rows.map(({ id }) => id)
}
