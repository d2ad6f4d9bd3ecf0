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
 * Fills a migrated database with paid orders of so many past months, evenly, as SQL alone: 10,000,000 orders have 50,000,000 entries
 * of the journal and 10,000,000 attempts. Every month becomes a partition, as if the product had run all the time. Rows of other
 * tables that an order refers to are left out, unless a measured statement reads them.
 */
export async function fillMonths(database: pg.Client, orders: number, months: number) {
  await database.query('SET session_replication_role = replica')
  await database.query(`SET timezone = 'UTC'`)
  for (const table of ['journal', 'confirm_attempts'])
    await splitFirstPartition(database, table, months)
  await database.query(
    `INSERT INTO partners (code, name) SELECT 'bench' || n, 'Bench ' || n FROM generate_series(1, $1::int) n`,
    [PARTNERS]
  )
  const aMonth = Math.ceil(orders / months)
  for (let month = 0; month < months; month++) {
    const params = [
      month * aMonth,
      Math.min(aMonth, orders - month * aMonth),
      months - month - 1,
      months,
    ]
    for (const sql of FILLING) await database.query(sql, params)
  }
  await database.query('SET session_replication_role = origin')
  await database.query('ANALYZE journal, confirm_attempts, orders')
  await database.query('VACUUM (ANALYZE) journal, confirm_attempts, orders')
  await database.query('CHECKPOINT')
}

/** The first partition of a new installation has this month; the ones before get their own. */
async function splitFirstPartition(database: pg.Client, table: string, months: number) {
  await database.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_first`)
  await database.query(`ALTER TABLE ${table}_first RENAME TO ${table}_now`)
  const { rows } = await database.query<{ sql: string }>(
    `SELECT format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', $1::text, $1 || '_now',
                   date_trunc('month', now()), first_bound) AS sql FROM monthly_tables WHERE table_name = $1`,
    [table]
  )
  await database.query(rows[0].sql)
  await database.query(
    `SELECT attach_partition($1, $1 || to_char(month, '_YYYY_MM'),
                             format('FOR VALUES FROM (%L) TO (%L)', month, month + interval '1 month'))
       FROM generate_series(date_trunc('month', now()) - make_interval(months => $2::int - 1),
                            date_trunc('month', now()) - interval '1 day', '1 month') month`,
    [table, months]
  )
  await database.query(
    `SELECT attach_partition($1, $1 || '_first',
                             format('FOR VALUES FROM (MINVALUE) TO (%L)', date_trunc('month', now()) - make_interval(months => $2::int - 1)))`,
    [table, months]
  )
}

/** An order every so often, in a month that is not over before now. $1: orders before; $2: orders; $3: months ago; $4: months. */
const SALES = `
  SELECT k, 1 + (k % ${PARTNERS})::int AS partner_no, 'bkg_' || lpad(k::text, 26, '0') AS booking_id,
         'OLD-2025-' || lpad(k::text, 8, '0') AS order_id,
         'evt_' || lpad((($4::int - $3::int) * ${EVENTS_A_MONTH} + k % ${EVENTS_A_MONTH})::text, 26, '0') AS event_id,
         began + (least(began + interval '1 month', now()) - began) * ((k - $1::bigint)::float8 / ($2::bigint + 1)) AS at
    FROM generate_series($1::bigint + 1, $1::bigint + $2::bigint) k,
         LATERAL (SELECT date_trunc('month', now()) - make_interval(months => $3::int) AS began) month`
const PARTNER = `JOIN partners p ON p.code = 'bench' || partner_no`

const FILLING = [
  `INSERT INTO orders (id, partner_id, partner_order_id, booking_id, event_id, stored_status, customer, total_tenge, created_at,
                       window_ends_at, confirmed_at, payment_amount_tenge, payment_paid_at_raw, payment_paid_at, payment_external_id,
                       payment_currency)
   SELECT order_id, p.id, 'past-' || k, booking_id, event_id, 'paid', jsonb_build_object('email', 'buyer' || k || '@bench.test'),
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
    WHERE $4::int > 0 ORDER BY k, place`,
]
