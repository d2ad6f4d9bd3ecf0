import type pg from 'pg'

export interface MonthSize {
  /** Of a partner that is made for it. */
  partnerCode: string
  /** Begins its numbers: two capitals of its own. */
  prefix: string
  orders: number
  ticketsPerOrder: number
}

export interface Month {
  partnerId: number
  partnerCode: string
  /** The last calendar month at the venues. */
  from: Date
  to: Date
  tickets: number
}

/**
 * A partner's whole month as if it had been sold: bookings, orders, confirms, tickets and the ledger's movements with
 * commission and VAT; no journal, which settlement does not read. One order in a hundred each was charged and refused as
 * expired (half of them paid again with the same payment), was charged in the second before it was made, was confirmed
 * late in its window, had a ticket given back, was cancelled; every other hundred has one with a wrong sum at first, and
 * three in a hundred ran out.
 */
export async function fillMonth(database: pg.Client, size: MonthSize): Promise<Month> {
  const { partnerCode, prefix, orders, ticketsPerOrder } = size
  const partnerId = await addPartner(database, partnerCode)
  const { from, to } = await lastMonth(database)
  // Foreign keys and triggers hold by construction; a million rows one by one would take an hour.
  await database.query('SET session_replication_role = replica')
  await database.query(SETTINGS, [partnerId, prefix, orders, ticketsPerOrder, from, to])
  for (const statement of STATEMENTS) await database.query(statement)
  await database.query('DROP TABLE month, month_seats, month_orders')
  await database.query('SET session_replication_role = origin')
  await database.query(`VACUUM (ANALYZE) ${FILLED}`)
  const { rows } = await database.query<{ tickets: number }>(
    'SELECT sum(tickets)::int AS tickets FROM ledger_movements WHERE partner_id = $1 AND kind = $2',
    [partnerId, 'sale']
  )
  return { partnerId, partnerCode, from, to, tickets: rows[0].tickets }
}

async function addPartner(database: pg.Client, code: string) {
  const { rows } = await database.query<{ id: number }>(
    'INSERT INTO partners (code, name) VALUES ($1, $1) RETURNING id',
    [code]
  )
  await database.query(
    `UPDATE settlement_terms SET commission_bp = 750, vat_bp = 1600, set_by = 'bench' WHERE partner_id = $1`,
    [rows[0].id]
  )
  return rows[0].id
}

async function lastMonth(database: pg.Client) {
  const { rows } = await database.query<{ from: Date; to: Date }>(
    `SELECT (ends - interval '1 month') AT TIME ZONE '-05' AS from, ends AT TIME ZONE '-05' AS to
       FROM (SELECT date_trunc('month', now() AT TIME ZONE '-05') AS ends) m`
  )
  return rows[0]
}

const SETTINGS = `CREATE TEMP TABLE month AS
  SELECT $1::int AS partner_id, $2::text AS prefix, $3::int AS orders, $4::int AS per_order, $5::timestamptz AS month_from,
         $6::timestamptz AS month_to, (SELECT id FROM settlement_terms WHERE partner_id = $1) AS terms_id,
         (SELECT event_id FROM event_seats WHERE price_tenge IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1) AS model`

const id = (kind: string, number: string) =>
  `'${kind}_' || lower(month.prefix) || lpad((${number})::text, 24, '0')`

/** Each order's seats lie together in one event, sold event after event as the month goes by. */
const SEATS = `CREATE TEMP TABLE month_seats AS
  WITH seats AS (
    SELECT s.*, row_number() OVER (ORDER BY position) - 1 AS place, count(*) OVER () / month.per_order AS orders_of_event
      FROM event_seats s, month WHERE s.event_id = month.model AND price_tenge IS NOT NULL)
  SELECT nextval(pg_get_serial_sequence('event_seats', 'id')) AS id, ${id('evt', 'n')} AS event_id, n, s.sector_id, s.row_id,
         s.space_id, s.label, s.position, s.category_code, s.price_tenge, share_of(s.price_tenge, 750, 'half_up') AS commission,
         n * s.orders_of_event + s.place / month.per_order AS k, (1 + s.place % month.per_order)::smallint AS of_order
    FROM month, seats s, generate_series(0, (month.orders - 1) / (SELECT min(orders_of_event) FROM seats)::int) n
   WHERE s.place < s.orders_of_event * month.per_order AND n * s.orders_of_event + s.place / month.per_order < month.orders`

/** The last two digits of an order's place in the month decide its outcome. */
const ORDERS = `CREATE TEMP TABLE month_orders AS
  WITH placed AS (
    SELECT k, k % 100 AS fate, (k / 100) % 2 = 0 AS is_even, min(event_id) AS event_id, count(*)::int AS seats,
           sum(price_tenge)::bigint AS total, sum(commission)::bigint AS commission,
           sum(share_of(commission, 1600, 'half_up'))::bigint AS vat
      FROM month_seats GROUP BY k),
  timed AS (
    SELECT *, date_trunc('second', month_from + (month_to - month_from - interval '1 hour') * k / orders)
              + interval '0.4 s' + CASE fate WHEN 1 THEN interval '6 minutes' ELSE '0' END AS created_at
      FROM placed, month),
  paid AS (
    SELECT *, fate NOT IN (0, 2, 3, 4, 5) AS is_paid,
           CASE WHEN fate = 0 THEN created_at + interval '290 s'
                WHEN fate = 1 AND is_even THEN lag(created_at) OVER (ORDER BY k) + interval '290 s'
                WHEN fate = 7 THEN date_trunc('second', created_at)
                ELSE created_at + interval '20 s' END AS paid_at,
           CASE WHEN fate = 1 AND is_even THEN k - 1 ELSE k END AS payment
      FROM timed)
  SELECT k, fate, is_even, event_id, seats, total, commission, vat, created_at, is_paid, paid_at,
         prefix || to_char(month_from, '-YYYY-') || lpad(k::text, 7, '0') AS order_id, ${id('bkg', 'k')} AS booking_id,
         lower(prefix) || '-' || lpad(k::text, 9, '0') AS own_id, 'pay-' || lower(prefix) || lpad(payment::text, 9, '0') AS payment_id,
         CASE fate WHEN 7 THEN to_char(paid_at AT TIME ZONE '-05', 'YYYY-MM-DD"T"HH24:MI:SS"+05:00"')
              ELSE to_char(paid_at AT TIME ZONE '-05', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+05:00"') END AS paid_raw,
         CASE WHEN is_paid THEN created_at + CASE fate WHEN 8 THEN interval '4 minutes' ELSE '30 s' END END AS confirmed_at,
         CASE WHEN fate IN (0, 2, 3, 4) THEN 'expired' WHEN fate = 5 THEN 'cancelled'
              WHEN fate = 6 THEN CASE seats WHEN 1 THEN 'refunded' ELSE 'partially_refunded' END ELSE 'paid' END AS status
    FROM paid AS month ORDER BY k`

const GIVEN_BACK = `o.fate = 6 AND s.of_order = 1`
const voidedAt = `least(o.confirmed_at + interval '1 day', month.month_to - interval '1 minute')`

const STATEMENTS = [
  SEATS,
  ORDERS,
  'CREATE UNIQUE INDEX ON month_orders (k)',
  'ANALYZE month_orders, month_seats',
  `INSERT INTO events (id, hall_id, venue_id, title, description, stored_status, event_type, age_rating, starts_at, ends_at,
                       max_seats_per_booking, price_from_tenge)
   SELECT x.event_id, e.hall_id, e.venue_id, jsonb_build_object('ru', 'Вечер ' || n, 'kk', 'Кеш ' || n, 'en', 'Evening ' || n),
          e.description, 'sales_closed', e.event_type, e.age_rating, month_to + n * interval '1 hour',
          month_to + (n + 1) * interval '1 hour', e.max_seats_per_booking, e.price_from_tenge
     FROM month JOIN events e ON e.id = month.model, (SELECT DISTINCT event_id, n FROM month_seats) x`,
  `INSERT INTO event_grants (partner_id, event_id) SELECT DISTINCT partner_id, event_id FROM month, month_seats`,
  `INSERT INTO event_seats (id, event_id, sector_id, row_id, space_id, label, position, category_code, price_tenge, state, held_by)
   OVERRIDING SYSTEM VALUE
   SELECT s.id, s.event_id, sector_id, row_id, space_id, label, position, category_code, price_tenge,
          CASE WHEN is_paid AND NOT (${GIVEN_BACK}) THEN 'sold' ELSE 'free' END,
          CASE WHEN is_paid AND NOT (${GIVEN_BACK}) THEN booking_id END
     FROM month_seats s JOIN month_orders o USING (k) ORDER BY s.id`,
  `INSERT INTO bookings (id, partner_id, partner_booking_id, event_id, stored_status, total_tenge, ttl_seconds, created_at,
                         expires_at, order_id)
   SELECT booking_id, partner_id, own_id, event_id, 'converted', total, 180, created_at - interval '10 s',
          created_at + interval '170 s', order_id
     FROM month, month_orders ORDER BY k`,
  `INSERT INTO booking_seats (booking_id, position, event_seat_id, space_id, category_code, price_tenge)
   SELECT booking_id, of_order, s.id, space_id, category_code, price_tenge
     FROM month_seats s JOIN month_orders o USING (k) ORDER BY k, of_order`,
  `INSERT INTO orders (id, partner_id, partner_order_id, booking_id, event_id, stored_status, customer, total_tenge, created_at,
                       window_ends_at, confirmed_at, cancelled_at, payment_amount_tenge, payment_paid_at_raw, payment_paid_at,
                       payment_external_id, payment_currency, payment_method)
   SELECT order_id, partner_id, own_id, booking_id, event_id, status, jsonb_build_object('email', own_id || '@load.test'), o.total,
          created_at, created_at + interval '5 minutes', confirmed_at,
          CASE fate WHEN 5 THEN created_at + interval '1 minute' END, p.*
     FROM month, month_orders o
     LEFT JOIN LATERAL (SELECT o.total, o.paid_raw, o.paid_at, o.payment_id, 'KZT', 'card' WHERE is_paid) p ON true
    ORDER BY k`,
  `INSERT INTO tickets (id, number, order_id, event_id, event_seat_id, position, status, price_tenge, qr_token, issued_at,
                        void_cause, void_reason, voided_at, voided_by)
   SELECT ${id('tkt', 's.id')}, prefix || '-TKT-' || lpad(s.id::text, 9, '0'), order_id, o.event_id, s.id, of_order,
          CASE WHEN ${GIVEN_BACK} THEN 'void' ELSE 'active' END, price_tenge, repeat('x', 544), confirmed_at, back.cause,
          back.reason, back.at, back.by
     FROM month, month_seats s JOIN month_orders o USING (k)
     LEFT JOIN LATERAL (SELECT 'refund', 'buyer is ill', ${voidedAt}, 'bench' FROM month WHERE ${GIVEN_BACK})
            back (cause, reason, at, by) ON true
    WHERE is_paid ORDER BY k, of_order`,
  `INSERT INTO confirm_attempts (partner_id, order_id_sent, request_id, received_at, timestamp_sent, signature_valid, amount_raw,
                                 amount_tenge, paid_at_raw, paid_at, paid_at_precision, external_payment_id, currency, method,
                                 http_status, code, order_status, window_ends_at, answered_at)
   SELECT partner_id, order_id, gen_random_uuid(), a.at, floor(extract(epoch FROM a.at))::text, true, a.tenge::text, a.tenge,
          paid_raw, paid_at, CASE fate WHEN 7 THEN 'second' ELSE 'subsecond' END, payment_id, 'KZT', 'card', a.http, a.code,
          CASE a.http WHEN 200 THEN 'paid' WHEN 409 THEN 'expired' ELSE 'pending' END, created_at + interval '5 minutes', a.at
     FROM month, month_orders,
          LATERAL (SELECT confirmed_at, total, 200, NULL WHERE is_paid
                   UNION ALL SELECT confirmed_at + interval '3 s', total, 200, NULL WHERE fate = 10
                   UNION ALL SELECT confirmed_at - interval '5 s', total - 1, 422, 'VALIDATION_ERROR' WHERE fate = 9 AND is_even
                   UNION ALL SELECT created_at + interval '320 s' + n * interval '5 s', total, 409, 'ORDER_EXPIRED'
                               FROM generate_series(0, 1) n WHERE fate = 0) a (at, tenge, http, code)
    ORDER BY a.at`,
  `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, terms_id, rate_bp,
                                 effective_at, recorded_at)
   SELECT partner_id, m.kind, m.tenge, m.tickets, order_id, event_id, order_id, terms_id, m.rate, confirmed_at, confirmed_at
     FROM month, month_orders, LATERAL (VALUES ('sale', total, seats, NULL::int), ('commission', -commission, 0, 750),
          ('vat', -vat, 0, 1600)) m (kind, tenge, tickets, rate)
    WHERE is_paid AND (m.tenge <> 0 OR m.kind = 'sale') ORDER BY k`,
  `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, terms_id, rate_bp,
                                 effective_at, recorded_at)
   SELECT partner_id, m.kind, m.tenge, m.tickets, ${id('tkt', 's.id')}, o.event_id, order_id, terms_id, m.rate, ${voidedAt}, ${voidedAt}
     FROM month, month_seats s JOIN month_orders o USING (k),
          LATERAL (VALUES ('refund', -price_tenge, 1, NULL::int), ('commission_reversal', s.commission, 0, 750),
          ('vat_reversal', share_of(s.commission, 1600, 'half_up'), 0, 1600)) m (kind, tenge, tickets, rate)
    WHERE ${GIVEN_BACK} AND m.tenge <> 0 ORDER BY k`,
]

const FILLED = `events, event_grants, event_seats, bookings, booking_seats, orders, tickets, confirm_attempts, ledger_movements`
