import type pg from 'pg'

const order = (set: string) => `UPDATE orders o SET ${set} WHERE o.id = ANY ($1::text[])`
const confirm = (set: string) =>
  `UPDATE confirm_attempts a SET ${set} FROM orders o WHERE o.id = a.order_id_sent AND o.id = ANY ($1::text[])`
const ticket = (set: string) => `UPDATE tickets SET ${set} WHERE order_id = ANY ($1::text[])`

const paidAt = (moment: string, zone = '+05:00') => [
  order(
    `payment_paid_at = ${moment},
     payment_paid_at_raw = to_char((${moment}) AT TIME ZONE interval '5 hours', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '${zone}'`
  ),
  confirm('paid_at = o.payment_paid_at, paid_at_raw = o.payment_paid_at_raw'),
]
const payment = (id: string) => [
  order(`payment_external_id = ${id}`),
  confirm('external_payment_id = o.payment_external_id'),
]
const total = (tenge: string) => [
  order(`total_tenge = ${tenge}, payment_amount_tenge = ${tenge}`),
  confirm('amount_tenge = o.total_tenge'),
]

/** One more confirm of each order, paid or not. */
const anotherConfirm = (changed: Record<string, string> = {}) => {
  const values: Record<string, string> = {
    partner_id: 'o.partner_id',
    order_id_sent: 'o.id',
    request_id: 'gen_random_uuid()',
    received_at: `coalesce(o.confirmed_at, o.created_at) + interval '4 s'`,
    timestamp_sent: `floor(extract(epoch FROM o.created_at) + 34)::bigint::text`,
    signature_valid: 'true',
    amount_tenge: 'o.total_tenge',
    paid_at_raw: `coalesce(o.payment_paid_at_raw, '2026-11-01T12:00:00+05:00')`,
    paid_at: 'coalesce(o.payment_paid_at, o.created_at)',
    paid_at_precision: `'second'`,
    external_payment_id: `coalesce(o.payment_external_id, 'pay-of-' || o.id)`,
    http_status: '200',
    code: 'NULL',
    ...changed,
  }
  return `INSERT INTO confirm_attempts (${Object.keys(values).join(', ')})
          SELECT ${Object.values(values).join(', ')} FROM orders o WHERE o.id = ANY ($1::text[])`
}

/** Among the orders that end in the same two digits. */
const ordinal = 'right(o.id, 6)::int / 100'

/** What makes an ordinary sale of `fillMonth` unusual, each in one respect. */
const UNUSUAL_SALES: Record<string, string[]> = {
  'charged before the order was made': paidAt(`o.created_at - interval '3 s'`),
  'charged after the confirm': paidAt(`o.confirmed_at + interval '10 s'`),
  'charged in another offset': paidAt(`o.created_at + interval '20 s'`, '+06:00'),
  'charged in the offset of UTC': paidAt(`o.created_at + interval '20 s'`, 'Z'),
  'charged at a whole minute': paidAt(`date_trunc('minute', o.created_at) + interval '60.5 s'`),
  'charged in the second of the confirm': paidAt(`o.confirmed_at - interval '0.3 s'`),
  'charged at the moment that was sent': [
    ...paidAt(`date_trunc('second', o.created_at) + interval '21 s'`),
    confirm(`timestamp_sent = extract(epoch FROM o.payment_paid_at)::bigint::text`),
  ],
  'charged just before the moment that was sent': [
    ...paidAt(`date_trunc('second', o.created_at) + interval '20.7 s'`),
    confirm(`timestamp_sent = extract(epoch FROM o.payment_paid_at)::bigint::text`),
  ],
  'sent at no moment': [confirm(`timestamp_sent = 'soon'`)],
  'confirmed slowly': [confirm(`received_at = o.window_ends_at - interval '5 s'`)],
  'confirmed after the window': [
    ...paidAt(`o.window_ends_at - interval '1 s'`),
    confirm(`received_at = o.window_ends_at`),
  ],
  'without a price': total('0'),
  'a placeholder for a payment': payment(`'test'`),
  'zeros for a payment': payment(`repeat('0', 8 + ${ordinal})`),
  'blanks around a placeholder': payment(`repeat(' ', 3 + ${ordinal}) || '12345'`),
  'a short payment id': payment(`'p' || right(o.id, 6)`),
  'one payment of three orders': payment(`'pay-cart-' || ${ordinal} / 3`),
  'confirmed with another sum': [confirm('amount_tenge = o.total_tenge + 1000')],
  'confirmed with another payment': [confirm(`external_payment_id = 'other-' || o.id`)],
  'confirmed with another time': [confirm(`paid_at = a.paid_at - interval '1 s'`)],
  'confirmed twice': [anotherConfirm()],
  'confirmed twice, the second time with the moment of the charge': [
    ...paidAt(`date_trunc('second', o.created_at) + interval '21 s'`),
    anotherConfirm({ timestamp_sent: 'extract(epoch FROM o.payment_paid_at)::bigint::text' }),
  ],
  'confirmed twice, with two sums': [anotherConfirm({ amount_tenge: 'o.total_tenge + 1000' })],
  'confirmed twice, with two payments': [
    anotherConfirm({ external_payment_id: `'second-' || o.id` }),
  ],
  'confirmed by somebody else, too': [
    anotherConfirm({ signature_valid: 'false', http_status: '401', code: `'SIGNATURE_INVALID'` }),
  ],
  'refused with a wrong sum, too': [
    anotherConfirm({ amount_tenge: '1', http_status: '422', code: `'VALIDATION_ERROR'` }),
  ],
  'never confirmed, but paid': [confirm(`order_id_sent = 'nowhere-' || o.id`)],
  'refused, but paid': [confirm(`http_status = 500, code = 'INTERNAL_ERROR'`)],
  'confirmed with a wrong signature, but paid': [
    confirm(`signature_valid = false, http_status = 401, code = 'SIGNATURE_INVALID'`),
  ],
  'voided by the platform': [
    ticket(
      `status = 'void', void_cause = 'platform', voided_at = issued_at + interval '1 hour', voided_by = 'x'`
    ),
  ],
  'admitted before it was given back': [
    ticket(
      `status = 'void', void_cause = 'refund', voided_at = issued_at + interval '1 hour', voided_by = 'x', used_at = issued_at`
    ),
  ],
  'refused to be given back': [
    `INSERT INTO refused_refunds (ticket_id, partner_id, order_id, asked_by)
     SELECT t.id, o.partner_id, o.id, 'x' FROM orders o JOIN tickets t ON t.order_id = o.id WHERE o.id = ANY ($1::text[])`,
  ],
}

const EXPIRED = 2
const CANCELLED = 5
const FIRST_ORDINARY = 11
/** More orders of one payment than its case lists. */
const OF_ONE_TERMINAL = { from: 60, to: 89 }

/** The same for orders that were never paid, by their last digits. */
const UNUSUAL_UNPAID: Record<number, string[]> = {
  [EXPIRED]: [
    anotherConfirm({ http_status: 'NULL', received_at: `o.window_ends_at - interval '9 s'` }),
  ],
  [EXPIRED + 1]: [
    anotherConfirm({
      signature_valid: 'false',
      http_status: '401',
      code: `'SIGNATURE_INVALID'`,
      received_at: `o.window_ends_at - interval '9 s'`,
    }),
  ],
  [CANCELLED]: [anotherConfirm({ http_status: '409', code: `'ORDER_CANCELLED'` })],
}

const isOfTerminal = (id: string) => {
  const digits = Number(id.slice(-2))
  return digits >= OF_ONE_TERMINAL.from && digits <= OF_ONE_TERMINAL.to
}

/**
 * Makes orders of a month unusual, a hundredth of them in each respect: those whose numbers end in the same two digits. Half of
 * the unpaid ones stay as they are. Three in ten have one payment id.
 */
export async function makeUnusual(database: pg.Client, { partnerId }: { partnerId: number }) {
  const { rows } = await database.query<{ id: string }>(
    'SELECT id FROM orders WHERE partner_id = $1 ORDER BY id',
    [partnerId]
  )
  const endingIn = (digits: number) =>
    rows.map(({ id }) => id).filter((id) => Number(id.slice(-2)) === digits)
  // Neither checks nor triggers: some of it must never happen.
  await database.query('SET session_replication_role = replica')
  for (const [index, statements] of Object.values(UNUSUAL_SALES).entries())
    for (const statement of statements)
      await database.query(statement, [endingIn(FIRST_ORDINARY + index)])
  const ofTerminal = rows.map(({ id }) => id).filter(isOfTerminal)
  for (const statement of payment(`'terminal-7788'`)) await database.query(statement, [ofTerminal])
  for (const [digits, statements] of Object.entries(UNUSUAL_UNPAID))
    for (const statement of statements) {
      const ids = endingIn(Number(digits))
      await database.query(statement, [ids.slice(ids.length / 2)])
    }
  await database.query('SET session_replication_role = origin')
}
