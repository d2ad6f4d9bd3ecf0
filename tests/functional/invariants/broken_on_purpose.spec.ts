import env from '#start/env'
import { type InvariantName, INVARIANT_NAMES } from '#invariants/invariant_names'
import { INVARIANTS } from '#invariants/invariants'
import { readBoard } from '#invariants/queries/read_board'
import { runInvariant } from '#invariants/run_invariant'
import { verifyDueStatements } from '#ledger/jobs/verify_statements'
import { BackgroundThrottle } from '#shared/background_throttle'
import { HOUR_MS } from '#shared/days'
import { runJob } from '#worker/jobs'
import { fillHealthily } from '#tests/functional/invariants/healthy_database'
import {
  cloneDatabase,
  createDatabase,
  dropDatabase,
  inDatabase,
} from '#tests/support/other_database'
import { ownerRows } from '#tests/support/rows'
import { test } from '@japa/runner'

const HEALTHY = 'invariants_healthy'
const BROKEN = 'invariants_broken'

/** The longest of all invariants. */
const PERIOD = '5 minutes'

const throttle = new BackgroundThrottle({ hasRecentRequests: async () => false, pauseFactor: 0 })

type Rows = Awaited<ReturnType<typeof fillHealthily>>

/**
 * A turn of the worker, a period after it found everything healthy; returns what was found, and failures. Nobody asks for a full run.
 * The healthy rows are older than what the last run has read, so that reading what changed since then would not find them.
 */
async function checkAfterAPeriod() {
  await ownerRows(
    `UPDATE invariant_runs
    SET started_at = started_at - ?::interval, ended_at = ended_at - ?::interval, as_of = as_of + interval '1 hour'`,
    PERIOD,
    PERIOD
  )
  await runJob('check_invariants', {})
  const board = await readBoard()
  const found = board.flatMap(({ name, counterexamples, runs: [last] }) => {
    const codes = [...new Set(counterexamples?.map(({ code }) => code))]
    if (last.failure) codes.push(last.failure)
    return codes.length > 0 ? [[name, codes.toSorted()] as const] : []
  })
  return { board, found: Object.fromEntries(found) }
}

/** Nothing relays or sweeps here: on a slow machine the last turn is soon too old, and what is held or pending is over. */
async function renew() {
  await ownerRows('UPDATE webhook_relay SET relayed_at = clock_timestamp()')
  const soon = `clock_timestamp() + interval '10 minutes'`
  await ownerRows(`UPDATE orders SET window_ends_at = ${soon} WHERE stored_status = 'pending'`)
  await ownerRows(`UPDATE bookings SET expires_at = ${soon} WHERE stored_status = 'active'`)
  await ownerRows(`UPDATE event_seats SET hold_until = ${soon} WHERE hold_until IS NOT NULL`)
}

/** Changes rows past the triggers that guard them. */
const byForce = (sql: string) =>
  ownerRows(`WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) ${sql}`)
const update = (table: string, change: string, where: string) =>
  byForce(`UPDATE ${table} SET ${change} FROM free WHERE ${where}`)

const APPLICATION = new URL(env.get('DATABASE_URL')).username
const REPORTS = new URL(env.get('REPORTS_DATABASE_URL')!).username

interface Break {
  title: string
  change: (healthy: Rows) => Promise<unknown>
  /** Every invariant that finds it, and as what. */
  found: Partial<Record<InvariantName, string[]>>
}

const BREAKS: Break[] = [
  {
    title: 'two live tickets for one seat',
    change: async ({ ticket }) => {
      await ownerRows('DROP INDEX one_live_ticket')
      await byForce(`INSERT INTO tickets
        SELECT (json_populate_record(t, json_build_object('id', 'tkt_00000000000000000000000000', 'number', 'TIX-TKT-999999',
                 'order_id', (SELECT id FROM orders WHERE stored_status = 'paid' AND id <> t.order_id AND event_id = t.event_id LIMIT 1)))).*
          FROM free, tickets t WHERE t.id = '${ticket}'`)
    },
    found: {
      seat_sold_once: ['SEAT_CLAIMED_TWICE', 'SEAT_OF_ANOTHER'],
      order_totals_agree: ['TOTAL_NE_TICKETS'],
      ledger_matches_orders: ['PAID_WITHOUT_TICKETS'],
      paid_orders_have_tickets: ['TICKETS_MISSING', 'TOKEN_NOT_ACCEPTED'],
      tables_are_guarded: ['GUARD_MISSING'],
    },
  },
  {
    title: 'a seat in two live bookings',
    change: ({ liveBooking, pendingOrder }) =>
      byForce(`INSERT INTO booking_seats
        SELECT '${liveBooking}', 9, s.event_seat_id, s.space_id, s.category_code, 0
          FROM free, booking_seats s JOIN orders o USING (booking_id) WHERE o.id = '${pendingOrder}'`),
    found: { seat_sold_once: ['SEAT_CLAIMED_TWICE', 'SEAT_OF_ANOTHER'] },
  },
  {
    title: 'a seat of a live booking that is free for others',
    change: ({ liveBooking }) =>
      update('event_seats', 'held_by = NULL, hold_until = NULL', `held_by = '${liveBooking}'`),
    found: { seat_sold_once: ['SEAT_OF_ANOTHER'] },
  },
  {
    title: 'a seat of a live booking that a cart has',
    change: ({ liveBooking }) =>
      update('event_seats', `held_by = 'crt_1'`, `held_by = '${liveBooking}'`),
    found: { seat_sold_once: ['SEAT_OF_ANOTHER'] },
  },
  {
    title: 'an order whose total is not that of its seats',
    change: ({ pendingOrder }) =>
      update('orders', 'total_tenge = total_tenge + 1', `id = '${pendingOrder}'`),
    found: { order_totals_agree: ['TOTAL_NE_SEATS'] },
  },
  {
    title: 'a seat at another price than its order was placed with',
    change: ({ pendingOrder }) =>
      update(
        'booking_seats',
        'price_tenge = price_tenge + 1',
        `booking_id = (SELECT booking_id FROM orders WHERE id = '${pendingOrder}')`
      ),
    found: { order_totals_agree: ['TOTAL_NE_SEATS'] },
  },
  {
    title: 'a sale with another amount in the ledger',
    change: ({ order }) =>
      update(
        'ledger_movements',
        'amount_tenge = amount_tenge + 1',
        `source = '${order}' AND kind = 'sale'`
      ),
    found: { ledger_matches_orders: ['MOVEMENT_WRONG'] },
  },
  {
    title: 'a closed statement whose lines were changed, once it is verified again',
    change: async ({ statementId }) => {
      await update(
        'ledger_movements',
        'event_id = NULL',
        `statement_id = ${statementId} AND line = 1`
      )
      await verifyDueStatements(new Date())
    },
    found: { statements_are_chained: ['STATEMENT_CHANGED'] },
  },
  {
    title: 'the reason of a memo that stands in no statement',
    change: () => update('settlement_memos', `reason = 'Ошибка'`, 'true'),
    found: { documents_are_sealed: ['DOCUMENT_CHANGED'] },
  },
  {
    title: 'the sum of a memo that stands in no statement',
    change: () => update('settlement_memos', 'amount_tenge = amount_tenge + 1', 'true'),
    found: {
      documents_are_sealed: ['DOCUMENT_CHANGED'],
      ledger_matches_orders: ['MOVEMENT_WRONG'],
    },
  },
  {
    title: 'the reference of a payment that stands in no statement',
    change: () => update('settlement_payments', `bank_reference = 'П-2'`, 'true'),
    found: { documents_are_sealed: ['DOCUMENT_CHANGED'] },
  },
  {
    title: 'a statement that does not continue the one before it',
    change: async ({ statementId }) => {
      await ownerRows(
        'ALTER TABLE settlement_statements DROP CONSTRAINT settlement_statements_check2'
      )
      await update('settlement_statements', 'opening_tenge = 1', `id = ${statementId}`)
    },
    found: {
      statements_are_chained: ['CHAIN_BROKEN'],
      tables_are_guarded: ['GUARD_MISSING'],
    },
  },
  {
    title: 'a statement that nobody has verified for days',
    change: () =>
      ownerRows(
        `UPDATE settlement_statement_checks SET checked_at = checked_at - interval '5 days'`
      ),
    found: { statements_are_chained: ['NOT_VERIFIED'] },
  },
  {
    title: 'an order that was paid after it was cancelled',
    change: ({ order }) =>
      byForce(
        `INSERT INTO journal (name, actor_kind, actor, order_id) SELECT 'order_cancelled', 'console', 'tests', '${order}' FROM free`
      ),
    found: { statuses_follow_tables: ['STEP_NOT_ALLOWED'] },
  },
  {
    title: 'an order whose status is not that of its last entry',
    change: ({ pendingOrder }) =>
      update('orders', `stored_status = 'expired'`, `id = '${pendingOrder}'`),
    found: {
      statuses_follow_tables: ['STATUS_NOT_OF_LAST_STEP'],
      journal_is_complete: ['NO_ENTRY_OF_EXPIRY'],
    },
  },
  {
    title: 'a cancelled event that is on sale again',
    change: () =>
      update(
        'events',
        `stored_status = 'sales_open', cancelled_at = NULL`,
        `stored_status = 'cancelled'`
      ),
    found: { statuses_follow_tables: ['STATUS_NOT_OF_LAST_STEP'] },
  },
  {
    title: 'a step of an event that its table does not have',
    change: ({ event }) =>
      ownerRows(`INSERT INTO journal (name, actor_kind, actor, event_id, change)
            VALUES ('event_status_changed', 'console', 'tests', '${event.id}', '{"from": "cancelled", "to": "sales_open"}')`),
    found: { statuses_follow_tables: ['STEP_NOT_ALLOWED', 'STEP_NOT_FROM_LAST'] },
  },
  {
    title: 'a step of a statement that its table does not have',
    change: () =>
      ownerRows(`INSERT INTO journal (name, actor_kind, actor, change)
            VALUES ('statement_status_changed', 'console', 'tests', '{"statement": "SET-000001", "from": "closed", "to": "issued"}')`),
    found: { statuses_follow_tables: ['STATUS_NOT_OF_LAST_STEP', 'STEP_NOT_ALLOWED'] },
  },
  {
    title: 'a paid order without one of its tickets',
    change: ({ ticket }) => byForce(`DELETE FROM tickets USING free WHERE id = '${ticket}'`),
    found: {
      order_totals_agree: ['TOTAL_NE_TICKETS'],
      ledger_matches_orders: ['PAID_WITHOUT_TICKETS'],
      paid_orders_have_tickets: ['TICKETS_MISSING'],
      nothing_has_vanished: ['TICKET_GONE'],
    },
  },
  {
    title: 'a token that its event did not sign',
    change: ({ ticket }) =>
      update('tickets', `qr_token = left(qr_token, -6) || 'AAAAAA'`, `id = '${ticket}'`),
    found: { paid_orders_have_tickets: ['TOKEN_NOT_ACCEPTED'] },
  },
  {
    title: 'tickets that cannot be printed',
    change: () => update('events', `starts_at = '-infinity'`, 'true'),
    found: { paid_orders_have_tickets: ['PDF_NOT_PRINTED'] },
  },
  {
    title: 'a booking that ended long ago and is still active',
    change: ({ liveBooking }) =>
      update('bookings', `expires_at = now() - interval '6 minutes'`, `id = '${liveBooking}'`),
    found: { holds_are_swept: ['NOT_SWEPT'] },
  },
  {
    title: 'an order whose window ended long ago and that is still pending',
    change: ({ pendingOrder }) =>
      update('orders', `window_ends_at = now() - interval '6 minutes'`, `id = '${pendingOrder}'`),
    found: { holds_are_swept: ['NOT_SWEPT'] },
  },
  {
    title: 'a relay that stands still, with news behind it',
    change: async ({ event }) => {
      await ownerRows(`UPDATE webhook_relay SET relayed_at = now() - interval '6 minutes'`)
      await ownerRows(`INSERT INTO journal (at, name, actor_kind, actor, event_id)
                  VALUES (now() - interval '6 minutes', 'event_prices_set', 'console', 'tests', '${event.id}')`)
    },
    found: { news_are_relayed: ['NEWS_NOT_RELAYED', 'RELAY_BEHIND'] },
  },
  {
    title: 'an event that is ahead of the feed',
    change: ({ event }) => update('events', `change_xid = '9000000000'`, `id = '${event.id}'`),
    found: { news_are_relayed: ['FEED_AHEAD'] },
  },
  {
    title: 'a webhook that went out before an earlier one of its subject',
    change: ({ event }) =>
      ownerRows(`UPDATE webhook_deliveries SET ended_at = ended_at + interval '1 hour'
             WHERE id = (SELECT min(id) FROM webhook_deliveries WHERE subject = '${event.id}')`),
    found: { deliveries_are_in_order: ['DELIVERED_OUT_OF_ORDER'] },
  },
  {
    title: 'a journal that may be changed',
    change: () => ownerRows('DROP TRIGGER journal_is_append_only ON journal'),
    found: { tables_are_guarded: ['GUARD_MISSING', 'NOT_GUARDED'] },
  },
  {
    title: 'a function that refuses nothing any more',
    change: () =>
      ownerRows(
        `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`
      ),
    found: { tables_are_guarded: ['GUARD_CHANGED'] },
  },
  {
    title: 'a trigger that is gone and refused nothing',
    change: () => ownerRows('DROP TRIGGER orders_move_sale ON orders'),
    found: { tables_are_guarded: ['GUARD_MISSING'] },
  },
  {
    title: 'a trigger that no migration has made, on a table and on a month of it',
    change: () =>
      ownerRows(`CREATE FUNCTION lose_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE TRIGGER a_first_trigger BEFORE INSERT ON journal_first FOR EACH ROW EXECUTE FUNCTION lose_row()`),
    found: { tables_are_guarded: ['TRIGGER_UNKNOWN'] },
  },
  {
    title: 'a CHECK that allows more',
    change: () =>
      ownerRows(`ALTER TABLE invariant_lease DROP CONSTRAINT invariant_lease_one_check,
                   ADD CONSTRAINT invariant_lease_one_check CHECK (one OR NOT one)`),
    found: { tables_are_guarded: ['GUARD_CHANGED'] },
  },
  {
    title: 'references that are switched off',
    change: () => ownerRows('ALTER TABLE booking_seats DISABLE TRIGGER ALL'),
    found: { tables_are_guarded: ['TRIGGER_DISABLED'] },
  },
  {
    title: 'a month of the journal that may be emptied',
    change: () => ownerRows('DROP TRIGGER journal_is_never_emptied ON journal_first'),
    found: { tables_are_guarded: ['NOT_GUARDED'] },
  },
  {
    title: 'a journal without its next months',
    change: () =>
      ownerRows(`DO $$
            DECLARE
              month text;
            BEGIN
              FOR month IN SELECT partition_name FROM month_partitions WHERE table_name = 'journal' AND from_at IS NOT NULL LOOP
                EXECUTE format('ALTER TABLE journal DETACH PARTITION %I', month);
              END LOOP;
            END $$`),
    // A month that is no partition any more is a table of its own.
    found: {
      months_are_ahead: ['MONTHS_MISSING'],
      tables_are_guarded: ['RULE_UNKNOWN', 'TRIGGER_UNKNOWN'],
    },
  },
  {
    title: 'an attempt for which there is no month',
    change: ({ partner }) =>
      ownerRows(`INSERT INTO confirm_attempts (partner_id, order_id_sent, request_id, received_at, signature_valid)
            VALUES (${partner.id}, 'TIX-1', gen_random_uuid(), now() + interval '5 months', true)`),
    found: { months_are_ahead: ['ROWS_WITHOUT_MONTH'] },
  },
  {
    title: 'a PostgreSQL with room for few locks',
    change: () =>
      ownerRows(`DO $$
            BEGIN
              FOR n IN 1..500 LOOP
                EXECUTE format('CREATE INDEX lock_%s ON journal_default (id)', n);
              END LOOP;
            END $$`),
    found: { months_are_ahead: ['LOCKS_TOO_FEW'] },
  },
  {
    title: 'a payment that is gone',
    change: () =>
      byForce(`INSERT INTO settlement_seals (document, partner_id, sha256)
        SELECT 'payment:999999', partner_id, sha256 FROM free, settlement_seals LIMIT 1`),
    found: { documents_are_sealed: ['DOCUMENT_GONE'] },
  },
  {
    title: 'an index that refuses nothing',
    change: () =>
      ownerRows('DROP INDEX one_live_ticket; CREATE INDEX one_live_ticket ON tickets (number)'),
    found: { tables_are_guarded: ['GUARD_MISSING'] },
  },
  {
    title: 'a trigger that is switched off',
    change: () => ownerRows('ALTER TABLE orders DISABLE TRIGGER orders_move_sale'),
    found: { tables_are_guarded: ['TRIGGER_DISABLED'] },
  },
  {
    title: 'an application that may delete from the journal',
    change: () => ownerRows(`GRANT DELETE ON journal TO ${APPLICATION}`),
    found: { tables_are_guarded: ['APPLICATION_MAY_CHANGE'] },
  },
  ...[
    `DELETE ON tickets TO ${APPLICATION}`,
    `UPDATE (total_tenge) ON orders TO ${APPLICATION}`,
    `INSERT ON journal_first TO ${APPLICATION}`,
    `UPDATE ON SEQUENCE order_numbers TO ${APPLICATION}`,
    `CREATE ON SCHEMA public TO ${APPLICATION}`,
  ].map((right): Break => ({
    title: `a right by hand: ${right}`,
    change: () => ownerRows(`GRANT ${right}`),
    found: { tables_are_guarded: ['APPLICATION_MAY_CHANGE'] },
  })),
  {
    title: 'a right of everybody',
    change: () => ownerRows('GRANT TRIGGER ON confirm_attempts TO PUBLIC'),
    found: { tables_are_guarded: ['APPLICATION_MAY_CHANGE', 'REPORTS_MAY_DO_MORE'] },
  },
  {
    title: 'a function with the rights of the owner that everybody may call',
    change: () =>
      ownerRows(
        `CREATE FUNCTION empty_journal() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM journal'`
      ),
    found: { tables_are_guarded: ['APPLICATION_MAY_CHANGE'] },
  },
  ...[
    `CREATE RULE nothing_instead AS ON INSERT TO journal_default DO INSTEAD NOTHING`,
    `ALTER TABLE orders ENABLE ROW LEVEL SECURITY; CREATE POLICY all_of_them ON orders USING (true)`,
    `ALTER TABLE orders ALTER confirmed_at SET DEFAULT now()`,
  ].map((sql): Break => ({
    title: `what no migration has made: ${sql}`,
    change: () => ownerRows(sql),
    found: { tables_are_guarded: ['RULE_UNKNOWN'] },
  })),
  {
    title: 'another default than that of the migrations',
    change: () => ownerRows(`ALTER TABLE orders ALTER stored_status SET DEFAULT 'paid'`),
    found: { tables_are_guarded: ['GUARD_CHANGED'] },
  },
  {
    title: 'reports that may read the buyers',
    change: () => ownerRows(`GRANT SELECT (customer) ON orders TO ${REPORTS}`),
    found: { tables_are_guarded: ['REPORTS_MAY_DO_MORE'] },
  },
  {
    title: 'answers to confirms that may be changed',
    change: () => ownerRows('DROP TRIGGER confirm_attempts_are_evidence ON confirm_attempts'),
    found: { tables_are_guarded: ['GUARD_MISSING', 'NOT_GUARDED'] },
  },
  {
    title: 'an application that owns the tables',
    change: () => ownerRows(`ALTER TABLE journal OWNER TO ${APPLICATION}`),
    found: { tables_are_guarded: ['APPLICATION_OWNS_TABLES'] },
  },
  {
    title: 'an order without a trace in the journal',
    change: ({ pendingOrder }) =>
      byForce(`DELETE FROM journal USING free WHERE order_id = '${pendingOrder}'`),
    found: { journal_is_complete: ['NO_ENTRY_OF_PLACING'] },
  },
  {
    title: 'a guest who was admitted without an entry',
    change: ({ order }) =>
      byForce(
        `DELETE FROM journal USING free WHERE order_id = '${order}' AND name = 'ticket_admitted'`
      ),
    found: { journal_is_complete: ['NO_ENTRY_OF_ADMISSION'] },
  },
  {
    title: 'a refunded ticket that no entry of its order names',
    change: ({ soldOrder }) =>
      byForce(`UPDATE journal SET change = jsonb_set(change, '{ticket_ids}', '[]')
                 FROM free WHERE name = 'tickets_refunded' AND order_id = '${soldOrder}'`),
    found: { journal_is_complete: ['NO_ENTRY_OF_REFUND'] },
  },
  {
    title: 'a ticket that the platform has taken back without an entry',
    change: () => byForce(`DELETE FROM journal USING free WHERE name = 'tickets_voided'`),
    found: { journal_is_complete: ['NO_ENTRY_OF_VOIDING'] },
  },
  {
    title: 'tickets of a cancelled event whose entry is gone',
    change: () => byForce(`DELETE FROM journal USING free WHERE name = 'event_cancelled'`),
    found: {
      journal_is_complete: ['NO_ENTRY_OF_VOIDING'],
      statuses_follow_tables: ['STATUS_NOT_OF_LAST_STEP'],
    },
  },
  {
    title: 'a guest who may be admitted again',
    change: ({ order }) =>
      update(
        'tickets',
        `status = 'active', used_at = NULL`,
        `order_id = '${order}' AND status = 'used'`
      ),
    found: { statuses_follow_tables: ['STATUS_NOT_OF_LAST_STEP'] },
  },
  {
    title: 'a booking that its order does not belong to',
    change: ({ pendingOrder }) =>
      update(
        'bookings',
        `stored_status = 'expired', order_id = NULL`,
        `order_id = '${pendingOrder}'`
      ),
    found: { statuses_follow_tables: ['BOOKING_NOT_CONVERTED'] },
  },
  {
    title: 'a statement whose status is not that of its last entry',
    change: ({ statementId }) =>
      update('settlement_statements', `status = 'agreed'`, `id = ${statementId}`),
    found: { statuses_follow_tables: ['STATUS_NOT_OF_LAST_STEP'] },
  },
  {
    title: 'a step of a statement whose entry is gone',
    change: () =>
      byForce(
        `DELETE FROM journal USING free WHERE name = 'statement_status_changed' AND change ->> 'to' = 'agreed'`
      ),
    found: { statuses_follow_tables: ['STEP_NOT_FROM_LAST'] },
  },
  {
    title: 'a step of an event whose entry is gone',
    change: () =>
      byForce(
        `DELETE FROM journal USING free WHERE name = 'event_status_changed' AND change ->> 'to' = 'sales_paused'`
      ),
    found: { statuses_follow_tables: ['STEP_NOT_FROM_LAST'] },
  },
  {
    title: 'a pending order of which a restore brought back the entry alone',
    change: ({ pendingOrder }) =>
      byForce(`DELETE FROM orders USING free WHERE id = '${pendingOrder}'`),
    found: { nothing_has_vanished: ['ORDER_GONE'] },
  },
  {
    title: 'a paid and settled order of which its tickets alone are left',
    change: async ({ soldOrder }) => {
      await byForce(`DELETE FROM orders USING free WHERE id = '${soldOrder}'`)
      await byForce(`DELETE FROM journal USING free WHERE order_id = '${soldOrder}'`)
    },
    found: { nothing_has_vanished: ['ORDER_GONE', 'TICKET_GONE'] },
  },
  {
    title: 'an order that nothing but its tickets names',
    change: async ({ order }) => {
      await byForce(`DELETE FROM bookings USING free WHERE order_id = '${order}'`)
      await byForce(`DELETE FROM ledger_movements USING free WHERE order_id = '${order}'`)
      await byForce(`DELETE FROM orders USING free WHERE id = '${order}'`)
      await byForce(`DELETE FROM journal USING free WHERE order_id = '${order}'`)
    },
    found: { nothing_has_vanished: ['ORDER_GONE', 'TICKET_GONE'] },
  },
  {
    title: 'an order without its booking',
    change: ({ pendingOrder }) =>
      byForce(
        `DELETE FROM bookings b USING free, orders o WHERE b.id = o.booking_id AND o.id = '${pendingOrder}'`
      ),
    found: { order_totals_agree: ['TOTAL_NE_SEATS'] },
  },
  {
    title: 'the newest statement cut off',
    change: ({ statementId }) =>
      byForce(`DELETE FROM settlement_statements USING free WHERE id = ${statementId}`),
    found: {
      nothing_has_vanished: ['STATEMENT_GONE'],
      statements_are_chained: ['LAST_STATEMENT_WRONG'],
    },
  },
  {
    title: 'an account that does not continue its last statement',
    change: ({ partner }) =>
      ownerRows(
        `UPDATE settlement_accounts SET last_statement_id = NULL WHERE partner_id = ${partner.id}`
      ),
    found: { statements_are_chained: ['LAST_STATEMENT_WRONG'] },
  },
  {
    title: 'a sold seat without a ticket',
    change: ({ event }) =>
      byForce(`UPDATE event_seats s SET state = 'sold', held_by = o.booking_id FROM free, orders o
                WHERE o.stored_status = 'cancelled' AND o.event_id = '${event.id}'
                  AND s.event_id = o.event_id AND s.space_id = 'seat-3-2'`),
    found: { nothing_has_vanished: ['TICKET_GONE'] },
  },
]

/** For each invariant that reads what has changed since its last run: a break that it finds so. */
const FOUND_BY_CHANGES: Partial<Record<InvariantName, string>> = {
  seat_sold_once: 'a seat of a live booking that a cart has',
  order_totals_agree: 'an order whose total is not that of its seats',
  ledger_matches_orders: 'a sale with another amount in the ledger',
  statuses_follow_tables: 'a guest who may be admitted again',
  paid_orders_have_tickets: 'a paid order without one of its tickets',
  deliveries_are_in_order: 'a webhook that went out before an earlier one of its subject',
  journal_is_complete: 'a guest who was admitted without an entry',
  nothing_has_vanished: 'a pending order of which a restore brought back the entry alone',
}

/** By the definitions that PostgreSQL writes, as a restored dump does. */
const MAKE_GUARDS_AGAIN = `DO $$
  DECLARE
    guard record;
  BEGIN
    FOR guard IN SELECT conrelid::regclass AS on, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
                  WHERE connamespace = 'public'::regnamespace AND contype = 'c' AND conrelid <> 0 AND coninhcount = 0 LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %2$I %s', guard.on, guard.conname, guard.definition);
    END LOOP;
    FOR guard IN SELECT adrelid::regclass AS on, attname, pg_get_expr(adbin, adrelid) AS definition
                   FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum JOIN pg_class c ON c.oid = adrelid
                  WHERE relnamespace = 'public'::regnamespace AND attgenerated = '' AND relkind IN ('r', 'p') LOOP
      EXECUTE format('ALTER TABLE %s ALTER %I SET DEFAULT %s', guard.on, guard.attname, guard.definition);
    END LOOP;
    FOR guard IN SELECT tgrelid::regclass AS on, tgname, pg_get_triggerdef(t.oid) AS definition
                   FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
                  WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal AND tgparentid = 0 LOOP
      EXECUTE format('DROP TRIGGER %I ON %s', guard.tgname, guard.on);
      EXECUTE guard.definition;
    END LOOP;
  END $$`

test.group('Invariants', (group) => {
  let healthy: Rows
  group.setup(async () => {
    await createDatabase(HEALTHY)
    healthy = await inDatabase(HEALTHY, async () => {
      const filled = await fillHealthily()
      await runJob('check_invariants', {})
      return filled
    })
  })
  group.teardown(async () => {
    await dropDatabase(BROKEN)
    await dropDatabase(HEALTHY)
  })
  group.each.setup(async () => {
    await cloneDatabase(HEALTHY, BROKEN)
    await inDatabase(BROKEN, renew)
  })

  test('a database with sales, refunds, a closed statement and a cancelled event is all green', async ({
    assert,
  }) => {
    const { board, found } = await inDatabase(BROKEN, checkAfterAPeriod)
    assert.deepEqual(found, {})
    assert.isTrue(board.every(({ state }) => state === 'green'))
    assert.deepEqual(
      board.filter(({ runs }) => !runs[0].rowsLookedAt).map(({ name }) => name),
      []
    )
  })

  for (const { title, change, found } of BREAKS)
    test(`find ${title}, within a period`, async ({ assert }) => {
      const checked = await inDatabase(BROKEN, async () => {
        await change(healthy)
        return checkAfterAPeriod()
      })
      assert.deepEqual(checked.found, found)
    })

  for (const [name, title] of Object.entries(FOUND_BY_CHANGES) as [InvariantName, string][])
    test(`${name} finds ${title} by reading what has changed`, async ({ assert }) => {
      const since = new Date(Date.now() - HOUR_MS)
      const line = await inDatabase(BROKEN, async () => {
        await BREAKS.find((one) => one.title === title)!.change(healthy)
        await runInvariant({ name, since, throttle })
        const board = await readBoard()
        return board.find((one) => one.name === name)!
      })
      assert.isFalse(line.runs[0].isFull)
      assert.isNotEmpty(line.counterexamples)
    })

  test('every invariant that reads changes is one of these', ({ assert }) => {
    const readingChanges = INVARIANT_NAMES.filter((name) => INVARIANTS[name].fullEveryMs !== null)
    assert.sameMembers(Object.keys(FOUND_BY_CHANGES), readingChanges)
  })

  test('what may switch all triggers off is found as a right of the application', async ({
    assert,
    cleanup,
  }) => {
    // A right of the whole cluster.
    const right = `SET ON PARAMETER session_replication_role`
    await ownerRows(`GRANT ${right} TO ${APPLICATION}`)
    cleanup(async () => {
      await ownerRows(`REVOKE ${right} FROM ${APPLICATION}`)
    })
    const { found } = await inDatabase(BROKEN, checkAfterAPeriod)
    assert.deepEqual(found, { tables_are_guarded: ['APPLICATION_MAY_CHANGE'] })
  })

  for (const [title, change] of [
    ['newer', `INSERT INTO adonis_schema (name, batch) VALUES ('database/migrations/9999_new', 9)`],
    [
      'older',
      `DELETE FROM adonis_schema WHERE name = (SELECT name FROM adonis_schema ORDER BY id DESC LIMIT 1)`,
    ],
  ])
    test(`a schema of a ${title} release is not compared with ours`, async ({ assert }) => {
      const { found } = await inDatabase(BROKEN, async () => {
        await ownerRows(change)
        await ownerRows('DROP TRIGGER orders_move_sale ON orders')
        await ownerRows(`GRANT UPDATE (total_tenge) ON orders TO ${APPLICATION}`)
        await ownerRows(`GRANT SELECT ON orders TO ${REPORTS}`)
        return checkAfterAPeriod()
      })
      assert.deepEqual(found, {})
    })

  test('guards that were restored from a dump are those of the migrations', async ({ assert }) => {
    const { found } = await inDatabase(BROKEN, async () => {
      await ownerRows(MAKE_GUARDS_AGAIN)
      return checkAfterAPeriod()
    })
    assert.deepEqual(found, {})
  })

  test('each is broken by one of these tests', ({ assert }) => {
    const broken = BREAKS.flatMap(({ found }) => Object.keys(found))
    assert.sameMembers([...new Set(broken)], INVARIANT_NAMES)
  })
})
