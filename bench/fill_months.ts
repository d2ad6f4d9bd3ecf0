import type pg from 'pg'

/** Entries of the journal for each order: booking, order, confirm, admission and a change by the clock. */
const ENTRIES = [
  'booking_created',
  'order_placed',
  'order_confirmed',
  'ticket_admitted',
  'order_noted',
]
const PARTNERS = 20
const EVENTS_A_MONTH = 50

/**
 * One order in so many has its booking, seat, ticket and entries of the ledger: all that a sale leaves. A prime, so that they are of
 * all partners and events.
 */
export const WHOLE_ORDER_EVERY = 101

/**
 * Fills a database of the sandbox with paid orders of so many past months, evenly, as SQL alone: 10,000,000 orders have 50,000,000
 * entries of the journal and 10,000,000 attempts. Every month becomes a partition, as if the product had run all the time. One order
 * in `wholeEvery` has the rest. With 0 months all orders are of the last 24 hours.
 */
export async function fillMonths(
  database: pg.Client,
  orders: number,
  months: number,
  wholeEvery: number
) {
  const filling = fillingOf(`k % ${wholeEvery} = 0`)
  await database.query('SET session_replication_role = replica')
  await database.query(`SET timezone = 'UTC'`)
  for (const table of ['journal', 'confirm_attempts'])
    await divideIntoMonths(database, table, Math.max(months, 1))
  await database.query(
    `INSERT INTO partners (code, name) SELECT 'bench' || n, 'Bench ' || n FROM generate_series(1, $1::int) n`,
    [PARTNERS]
  )
  const aMonth = Math.ceil(orders / Math.max(months, 1))
  for (let before = 0, month = 0; before < orders; before += aMonth, month++) {
    const params = [before, Math.min(aMonth, orders - before), months - month - 1, months]
    for (const sql of filling) await database.query(sql, params)
  }
  await database.query('SET session_replication_role = origin')
  await database.query(`VACUUM (ANALYZE) ${FILLED}`)
  await database.query('CHECKPOINT')
}

/** The first partition of a new installation is of all time before next month; each month gets its own, and its rows go there. */
async function divideIntoMonths(database: pg.Client, table: string, months: number) {
  await database.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_first`)
  await database.query(`ALTER TABLE ${table}_first RENAME TO ${table}_undivided`)
  await database.query(
    `SELECT attach_partition($1, $1 || to_char(month, '_YYYY_MM'),
                             format('FOR VALUES FROM (%L) TO (%L)', month, least(month + interval '1 month', first_bound)))
       FROM monthly_tables, generate_series(date_trunc('month', now()) - make_interval(months => $2::int - 1), now(), '1 month') month
      WHERE table_name = $1`,
    [table, months]
  )
  await database.query(
    `SELECT attach_partition($1, $1 || '_first',
                             format('FOR VALUES FROM (MINVALUE) TO (%L)', date_trunc('month', now()) - make_interval(months => $2::int - 1)))`,
    [table, months]
  )
  await database.query(
    `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM ${table}_undivided`
  )
  await database.query(`DROP TABLE ${table}_undivided`)
}

/**
 * An order every so often, in a month that is not over before now. $1: orders before; $2: orders; $3: months ago, -1 for the last
 * day; $4: months, or 0.
 */
const SALES = `
  SELECT k, 1 + (k % ${PARTNERS})::int AS partner_no, 'bkg_' || lpad(k::text, 26, '0') AS booking_id,
         'TIX-2025-' || lpad(k::text, 8, '0') AS order_id,
         'evt_' || lpad((($4::int - $3::int) * ${EVENTS_A_MONTH} + k % ${EVENTS_A_MONTH})::text, 26, '0') AS event_id,
         began + (least(began + interval '1 month', now()) - began) * ((k - $1::bigint)::float8 / ($2::bigint + 1)) AS at
    FROM generate_series($1::bigint + 1, $1::bigint + $2::bigint) k,
         LATERAL (SELECT CASE WHEN $3::int < 0 THEN now() - interval '1 day'
                              ELSE date_trunc('month', now()) - make_interval(months => $3::int) END AS began) month`
const PARTNER = `JOIN partners p ON p.code = 'bench' || partner_no`
/** A seat of the sandbox; those of filled orders stand in its place. */
const MODEL = `(SELECT * FROM event_seats WHERE price_tenge IS NOT NULL ORDER BY id LIMIT 1) model`
const lettersOf = (number: string) =>
  `translate(lpad((${number})::text, 3, '0'), '0123456789', 'abcdefghij')`
/** A thousand surnames and a thousand patronymics, and a phone and an e-mail for each order. */
const BUYER = `jsonb_build_object('email', 'buyer' || k || '@bench.test', 'phone', '+7701' || lpad(k::text, 8, '0'),
                                  'name', (ARRAY['Aigerim', 'Dana', 'Marat', 'Olga', 'Timur'])[1 + k % 5]
                                          || ' Family' || ${lettersOf('k % 1000')} || ' Father' || ${lettersOf('k / 1000 % 1000')})`
/** Above the ids of seats that sales make. */
const SEAT_ID = '1000000000 + k'

/** In this order; `whole` is the condition of orders that are there with all their parts. */
const fillingOf = (whole: string) => [
  `INSERT INTO events (id, hall_id, venue_id, title, description, stored_status, event_type, age_rating, starts_at, ends_at,
                       max_seats_per_booking, price_from_tenge)
   SELECT DISTINCT ON (sale.event_id) sale.event_id, e.hall_id, e.venue_id, e.title, e.description, 'sales_closed', e.event_type, e.age_rating,
          at + interval '40 days', at + interval '40 days 3 hours', e.max_seats_per_booking, e.price_from_tenge
     FROM (${SALES} LIMIT ${EVENTS_A_MONTH}) sale, ${MODEL} JOIN events e ON e.id = model.event_id`,
  `INSERT INTO event_seats (id, event_id, sector_id, row_id, space_id, label, position, category_code, price_tenge, state, held_by)
   OVERRIDING SYSTEM VALUE
   SELECT ${SEAT_ID}, sale.event_id, sector_id, row_id, model.space_id || '-' || k, label, k::int, category_code, 24000, 'sold', booking_id
     FROM (${SALES}) sale, ${MODEL} WHERE ${whole}`,
  `INSERT INTO bookings (id, partner_id, partner_booking_id, event_id, stored_status, total_tenge, ttl_seconds, created_at, expires_at, order_id)
   SELECT booking_id, p.id, 'past-' || k, event_id, 'converted', 24000, 180, at - interval '10 s', at + interval '170 s', order_id
     FROM (${SALES}) sale ${PARTNER} WHERE ${whole}`,
  `INSERT INTO booking_seats (booking_id, position, event_seat_id, space_id, category_code, price_tenge)
   SELECT booking_id, 1, ${SEAT_ID}, model.space_id || '-' || k, category_code, 24000 FROM (${SALES}) sale, ${MODEL} WHERE ${whole}`,
  `INSERT INTO tickets (id, number, order_id, event_id, event_seat_id, position, status, price_tenge, qr_token, issued_at)
   SELECT 'tkt_' || lpad(k::text, 26, '0'), 'OLD-TKT-' || lpad(k::text, 9, '0'), order_id, event_id, ${SEAT_ID}, 1, 'active', 24000,
          repeat('x', 544), at + interval '1 minute'
     FROM (${SALES}) sale WHERE ${whole}`,
  `INSERT INTO orders (id, partner_id, partner_order_id, booking_id, event_id, stored_status, customer, total_tenge, created_at,
                       window_ends_at, confirmed_at, payment_amount_tenge, payment_paid_at_raw, payment_paid_at, payment_external_id,
                       payment_currency)
   SELECT order_id, p.id, 'past-' || k, booking_id, event_id, 'paid', ${BUYER},
          24000, at, at + interval '15 minutes', at + interval '1 minute', 24000, at::text, at, 'pay-' || k, 'KZT'
     FROM (${SALES}) sale ${PARTNER}`,
  `INSERT INTO confirm_attempts (partner_id, order_id_sent, request_id, received_at, timestamp_sent, signature_valid, amount_raw,
                                 amount_tenge, external_payment_id, http_status, order_status, answered_at)
   SELECT p.id, order_id, md5(order_id)::uuid, at + interval '1 minute', extract(epoch FROM at)::bigint::text, true, '24000',
          24000, 'pay-' || k, CASE WHEN k % 50 = 0 THEN 409 ELSE 200 END, 'paid', at + interval '1 minute'
     FROM (${SALES}) sale ${PARTNER}`,
  `INSERT INTO journal (at, name, actor_kind, actor, request_id, partner_id, event_id, booking_id, order_id, change)
   SELECT at + place * interval '20 seconds', entry.name, 'partner', p.code, md5(order_id || entry.name)::uuid, p.id, event_id, booking_id,
          CASE WHEN place > 1 THEN order_id END, '{"seats": 2}'
     FROM (${SALES}) sale ${PARTNER}, unnest(ARRAY['${ENTRIES.join(`', '`)}']) WITH ORDINALITY entry (name, place)
    WHERE $4::int >= 0 ORDER BY k, place`,
  // Statements have what is older than a month; nothing that is measured reads them.
  `INSERT INTO ledger_movements (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, effective_at, recorded_at, statement_id, line)
   SELECT p.id, movement.kind, amount, tickets, order_id, event_id, order_id, at + interval '1 minute', at + interval '1 minute',
          CASE WHEN $3::int > 0 THEN 1000000 + $3::int END, CASE WHEN $3::int > 0 THEN 2 * k - tickets END
     FROM (${SALES}) sale ${PARTNER}, (VALUES ('sale', 24000, 1), ('commission', -1200, 0)) movement (kind, amount, tickets)
    WHERE $4::int >= 0 AND ${whole}`,
]

const FILLED =
  'events, event_seats, bookings, booking_seats, orders, tickets, confirm_attempts, journal, ledger_movements'
