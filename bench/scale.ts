import type pg from 'pg'

const SECTORS = 200
const ROWS = 25
const SEATS_A_ROW = 40
const PAST_BOOKINGS = 60_000

/** A hall of 200,000 seats, ten times the arena, in sectors like its own. Answers with its number. */
export async function buildLargeHall(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO halls (venue_id, name) SELECT id, '{"ru":"Десять арен"}' FROM venues LIMIT 1 RETURNING id`
  )
  const hall = rows[0].id
  await database.query(
    `INSERT INTO sectors (hall_id, public_id, name, position)
     SELECT $1, 'sector-a' || 100 + n, jsonb_build_object('ru', 'Сектор ' || 100 + n), n FROM generate_series(1, $2::int) n`,
    [hall, SECTORS]
  )
  await database.query(
    `INSERT INTO hall_rows (sector_id, public_id, label, position)
     SELECT s.id, replace(s.public_id, 'sector', 'row') || '-' || n, n::text, s.position * 100 + n
       FROM sectors s, generate_series(1, $2::int) n WHERE s.hall_id = $1`,
    [hall, ROWS]
  )
  await database.query(
    `INSERT INTO hall_seats (hall_id, row_id, space_id, label, category_code, position)
     SELECT $1, r.id, replace(r.public_id, 'row', 'seat') || '-' || n, n::text,
            CASE WHEN r.position % 100 <= 5 THEN 'vip' ELSE 'standard' END, row_number() OVER (ORDER BY r.position, n)
       FROM sectors s JOIN hall_rows r ON r.sector_id = s.id, generate_series(1, $2::int) n
      WHERE s.hall_id = $1`,
    [hall, SEATS_A_ROW]
  )
  return hall
}

/** Fills up to so many events, with their seats, prices, keys and grants, and past sales on them. */
export async function addEvents(database: pg.Client, wanted: number) {
  // Foreign keys hold by construction; checking each of a million rows would take minutes.
  await database.query('SET session_replication_role = replica')
  await database.query(
    `CREATE TEMP TABLE extra AS
       SELECT 'evt_' || lpad(n::text, 26, '0') AS event_id, model.id AS model_id, model.hall_id, n
         FROM (SELECT e.id, e.hall_id, (SELECT count(*) FROM events) AS events
                 FROM events e JOIN halls h ON h.id = e.hall_id
                WHERE e.stored_status = 'sales_open' ORDER BY e.id LIMIT 1) model,
              generate_series(1, $1::int - model.events) n`,
    [wanted]
  )
  for (const statement of COPIES) await database.query(statement)
  await database.query(PAST_SALES, [PAST_BOOKINGS])
  await database.query('SET session_replication_role = origin')
  await database.query('DROP TABLE extra')
}

const COPIES = [
  `INSERT INTO events (id, hall_id, venue_id, title, description, stored_status, event_type, age_rating,
                       starts_at, ends_at, max_seats_per_booking, price_from_tenge)
   SELECT x.event_id, e.hall_id, e.venue_id, e.title, e.description, e.stored_status, e.event_type, e.age_rating,
          e.starts_at + n * interval '1 hour', e.ends_at + n * interval '1 hour', e.max_seats_per_booking, e.price_from_tenge
     FROM extra x JOIN events e ON e.id = x.model_id`,
  `INSERT INTO event_prices (event_id, category_code, category_name, price_tenge)
   SELECT x.event_id, p.category_code, p.category_name, p.price_tenge FROM extra x JOIN event_prices p ON p.event_id = x.model_id`,
  `INSERT INTO event_keys (kid, event_id, private_key_encrypted, public_jwk)
   SELECT 'load-' || n, x.event_id, k.private_key_encrypted, k.public_jwk FROM extra x JOIN event_keys k ON k.event_id = x.model_id`,
  `INSERT INTO event_grants (partner_id, event_id)
   SELECT p.id, x.event_id FROM extra x, partners p`,
  `INSERT INTO event_seats (event_id, sector_id, row_id, space_id, label, position, category_code, price_tenge)
   SELECT x.event_id, s.sector_id, s.row_id, s.space_id, s.label, s.position, s.category_code, s.price_tenge
     FROM extra x JOIN event_seats s ON s.event_id = x.model_id ORDER BY x.event_id, s.position`,
]

/** Sold long ago: two seats a booking, all of them paid. */
const PAST_SALES = `
  WITH sold AS MATERIALIZED (
    SELECT s.id, s.event_id, s.space_id, s.category_code, (row_number() OVER (ORDER BY s.id) + 1) / 2 AS k,
           row_number() OVER (ORDER BY s.id) % 2 AS place
      FROM event_seats s JOIN extra x USING (event_id) WHERE s.price_tenge IS NOT NULL
     ORDER BY s.id LIMIT 2 * $1::int),
  sale AS MATERIALIZED (
    SELECT k, event_id, 'bkg_' || lpad(k::text, 26, '0') AS booking_id, 'OLD-2025-' || lpad(k::text, 6, '0') AS order_id,
           (SELECT id FROM partners ORDER BY id OFFSET 1 + k % 2 LIMIT 1) AS partner_id
      FROM sold WHERE place = 1),
  seats AS (
    UPDATE event_seats s SET state = 'sold', held_by = sale.booking_id
      FROM sold JOIN sale USING (k) WHERE s.id = sold.id),
  bookings AS (
    INSERT INTO bookings (id, partner_id, partner_booking_id, event_id, stored_status, total_tenge, ttl_seconds,
                          created_at, expires_at, order_id)
    SELECT booking_id, partner_id, 'past-' || k, event_id, 'converted', 24000, 180,
           now() - interval '30 days', now() - interval '30 days', order_id FROM sale),
  lines AS (
    INSERT INTO booking_seats (booking_id, position, event_seat_id, space_id, category_code, price_tenge)
    SELECT booking_id, 1 + place, sold.id, space_id, category_code, 12000 FROM sold JOIN sale USING (k)),
  orders AS (
    INSERT INTO orders (id, partner_id, partner_order_id, booking_id, event_id, stored_status, customer, total_tenge,
                        created_at, window_ends_at, confirmed_at, payment_amount_tenge, payment_paid_at_raw,
                        payment_paid_at, payment_external_id, payment_currency)
    SELECT order_id, partner_id, 'past-' || k, booking_id, event_id, 'paid', '{"email":"past@load.test"}', 24000,
           now() - interval '30 days', now() - interval '30 days', now() - interval '30 days', 24000, '2025',
           now() - interval '30 days', 'past-' || k, 'KZT' FROM sale),
  tickets AS (
    INSERT INTO tickets (id, number, order_id, event_id, event_seat_id, position, price_tenge, qr_token)
    SELECT 'tkt_' || lpad((2 * k + place)::text, 26, '0'), 'OLD-TKT-' || lpad((2 * k + place)::text, 6, '0'),
           order_id, sale.event_id, sold.id, 1 + place, 12000, repeat('x', 544) FROM sold JOIN sale USING (k)),
  attempts AS (
    INSERT INTO confirm_attempts (partner_id, order_id_sent, request_id, received_at, signature_valid, http_status)
    SELECT partner_id, order_id, gen_random_uuid(), now() - interval '30 days', true, 200 FROM sale)
  INSERT INTO journal (name, actor_kind, actor, partner_id, event_id, booking_id, order_id)
  SELECT name, 'partner', 'load', partner_id, event_id, booking_id, order_id
    FROM sale, unnest(ARRAY['booking_created', 'order_placed', 'order_confirmed']) name`
