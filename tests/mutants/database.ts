import type { Mutant } from '../../dev/mutation/mutant.ts'

const refusals = ['tests/functional/database/refusals.spec.ts']
const roles = ['tests/functional/database/roles.spec.ts']

const months = ['tests/functional/worker/months.spec.ts']
const KEEP_MONTHS = 'database/migrations/85_keep_months.ts'

export default [
  {
    name: 'months younger than two years are archived',
    file: KEEP_MONTHS,
    find: 'IF months_kept < 24 THEN',
    replace: 'IF months_kept < 12 THEN',
    specs: months,
  },
  {
    name: 'an archived month may be changed',
    file: KEEP_MONTHS,
    find: 'BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW',
    replace: 'BEFORE INSERT ON %I FOR EACH ROW',
    specs: months,
  },
  {
    name: 'a month that a delivery refers to is not passed over',
    file: KEEP_MONTHS,
    find: "IF monthly_table = 'journal' AND EXISTS",
    replace: "IF monthly_table = 'no table' AND EXISTS",
    specs: months,
  },
  {
    name: 'of any name PostgreSQL expects a fiftieth of all orders',
    sql: 'DROP STATISTICS orders_buyer_words',
    specs: ['tests/functional/back_office/orders_list.spec.ts'],
  },
  {
    name: 'a seat may have two live tickets',
    sql: 'DROP INDEX one_live_ticket',
    specs: refusals,
  },
  {
    name: 'a seat may have a live ticket and a used one',
    sql: `DROP INDEX one_live_ticket;
          CREATE UNIQUE INDEX one_live_ticket ON tickets (event_seat_id) WHERE status = 'active'`,
    specs: refusals,
  },
  {
    name: 'the same money moves twice',
    sql: 'ALTER TABLE ledger_movements DROP CONSTRAINT ledger_movements_source_kind_key',
    specs: refusals,
  },
  {
    name: 'a ticket needs no order',
    sql: 'ALTER TABLE tickets DROP CONSTRAINT tickets_event_id_order_id_fkey',
    specs: refusals,
  },
  {
    name: 'an order is paid with another amount',
    sql: `ALTER TABLE orders DROP CONSTRAINT orders_check1,
            ADD CONSTRAINT orders_check1 CHECK (confirmed_at IS NULL OR payment_amount_tenge <= total_tenge)`,
    specs: refusals,
  },
  {
    name: 'one person requests and approves a memo',
    sql: 'ALTER TABLE settlement_memos DROP CONSTRAINT settlement_memos_check2',
    specs: refusals,
  },
  {
    name: 'amounts may be negative',
    sql: 'ALTER DOMAIN tenge DROP CONSTRAINT tenge_check',
    specs: refusals,
  },
  {
    name: 'the journal may be changed',
    sql: `DROP TRIGGER journal_is_append_only ON journal;
          CREATE TRIGGER journal_is_append_only BEFORE DELETE ON journal FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    specs: refusals,
  },
  {
    name: 'the answer to a confirm may be changed',
    sql: 'DROP TRIGGER confirm_attempts_are_evidence ON confirm_attempts',
    specs: [...refusals, 'tests/functional/partner_api/confirm_order.spec.ts'],
  },
  {
    name: 'any word of an attempt counts as one about an erased buyer',
    file: 'database/migrations/104_keep_answers_to_confirms.ts',
    find: ' AND buyer_erased_at IS NOT NULL) THEN',
    replace: ') THEN',
    specs: [...refusals, 'tests/functional/partner_api/confirm_order.spec.ts'],
  },
  {
    name: 'the journal may be emptied',
    sql: 'ALTER TABLE journal DISABLE TRIGGER journal_is_never_emptied',
    specs: refusals,
  },
  {
    name: 'our own details may be emptied',
    sql: 'ALTER TABLE settlement_issuers DISABLE TRIGGER settlement_issuers_are_never_emptied',
    specs: refusals,
  },
  {
    name: 'what second people have decided may be emptied',
    sql: 'ALTER TABLE settlement_requests DISABLE TRIGGER settlement_requests_are_never_emptied',
    specs: refusals,
  },
  {
    name: 'nothing refuses a change',
    sql: `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`,
    specs: refusals,
  },
  {
    name: 'a movement leaves its statement',
    sql: `CREATE OR REPLACE FUNCTION keep_settled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`,
    specs: refusals,
  },
  {
    name: 'the effect of a movement is moved in time',
    sql: `DROP TRIGGER ledger_movements_are_frozen ON ledger_movements;
          CREATE TRIGGER ledger_movements_are_frozen BEFORE UPDATE ON ledger_movements FOR EACH ROW
            WHEN ((OLD.partner_id, OLD.amount_tenge) IS DISTINCT FROM (NEW.partner_id, NEW.amount_tenge))
            EXECUTE FUNCTION refuse_change()`,
    specs: refusals,
  },
  {
    name: 'a void moves no money',
    sql: 'DROP TRIGGER tickets_move_void ON tickets',
    specs: refusals,
  },
  {
    name: 'a rule comes without a line',
    sql: 'ALTER TABLE orders ADD CONSTRAINT orders_check9 CHECK (created_at < window_ends_at)',
    specs: refusals,
  },
  {
    name: 'a trigger comes without a line',
    sql: 'CREATE TRIGGER orders_stay_too BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change()',
    specs: refusals,
  },
  {
    name: 'a table with amounts comes without a line',
    sql: 'CREATE TABLE vouchers (id integer PRIMARY KEY, amount_tenge bigint)',
    specs: refusals,
  },
  {
    name: 'the application may delete from the journal',
    sql: 'GRANT DELETE ON journal TO tickets_app',
    specs: roles,
  },
  {
    name: 'the application may change the amount of a movement',
    sql: 'GRANT UPDATE (amount_tenge) ON ledger_movements TO tickets_app',
    specs: roles,
  },
  {
    name: 'the application may not sell',
    sql: 'REVOKE INSERT ON orders FROM tickets_app',
    specs: roles,
  },
  {
    name: 'a table comes without a line of rights',
    sql: 'CREATE TABLE vouchers (id integer PRIMARY KEY)',
    specs: roles,
  },
  {
    name: 'what runs as the owner looks for names where the caller wants',
    sql: 'ALTER FUNCTION analyse_tables(regclass[]) RESET search_path',
    specs: roles,
  },
  {
    name: 'reports have buyers',
    sql: `CREATE VIEW reports.buyers AS SELECT id, customer FROM orders;
          GRANT SELECT ON reports.buyers TO tickets_reports`,
    specs: roles,
  },
  {
    name: 'VAT of a void ticket is not taken back',
    sql: "CREATE OR REPLACE FUNCTION void_charges(price bigint, t settlement_terms)\n          RETURNS TABLE (kind text, amount bigint, rate integer) LANGUAGE sql STABLE AS $$\n            SELECT 'commission_reversal'::text, back.commission, t.commission_bp::integer\n              FROM (SELECT share_of(price, t.commission_bp, t.rounding) AS commission) back\n             WHERE back.commission <> 0\n          $$",
    specs: [
      'tests/functional/ledger/movements.spec.ts',
      'tests/functional/ledger/rounding.spec.ts',
    ],
  },
  {
    name: 'a sale is charged by the first terms of its partner, whatever was agreed since',
    sql: "CREATE OR REPLACE FUNCTION move_sale() RETURNS trigger LANGUAGE plpgsql AS $$\n          DECLARE t settlement_terms;\n          BEGIN\n            SELECT * INTO STRICT t FROM settlement_terms\n             WHERE partner_id = NEW.partner_id AND valid_from <= NEW.confirmed_at ORDER BY valid_from LIMIT 1;\n            INSERT INTO ledger_movements\n                   (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, terms_id, rate_bp, effective_at)\n            SELECT NEW.partner_id, m.kind, m.amount, m.tickets, NEW.id, NEW.event_id, NEW.id, t.id, m.rate, NEW.confirmed_at\n              FROM (SELECT 'sale' AS kind, NEW.total_tenge::bigint AS amount, NULL::integer AS rate,\n                           (SELECT count(*) FROM booking_seats WHERE booking_id = NEW.booking_id) AS tickets\n                     UNION ALL SELECT kind, amount, rate, 0 FROM sale_charges(NEW.booking_id, t)) m;\n            RETURN NULL;\n          END $$",
    specs: [
      'tests/functional/ledger/rounding.spec.ts',
      'tests/functional/ledger/movements.spec.ts',
      'tests/functional/ledger/coming_terms.spec.ts',
    ],
  },
  {
    name: 'a penalty may be asked for again while its reversal waits for a second person',
    sql: 'CREATE OR REPLACE FUNCTION memo_is_reversed(memo settlement_memos) RETURNS boolean LANGUAGE sql STABLE AS $$\n            SELECT coalesce(sum(back.amount_tenge), 0) >= memo.amount_tenge FROM settlement_memos back\n             WHERE back.reverses_id = memo.id\n          $$',
    specs: ['tests/functional/defects/penalties.spec.ts'],
  },
  {
    name: 'a payment is taken back on the account of another partner',
    sql: "CREATE OR REPLACE FUNCTION check_payment_reversal() RETURNS trigger LANGUAGE plpgsql AS $$\n          BEGIN\n            IF NOT EXISTS (SELECT 1 FROM settlement_payments y\n                            WHERE y.id = NEW.reverses_id AND y.reverses_id IS NULL\n                              AND y.amount_tenge = NEW.amount_tenge AND y.direction <> NEW.direction)\n            THEN\n              RAISE EXCEPTION 'payment % is not reversed by this row', NEW.reverses_id\n                USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_payments_reverse_whole';\n            END IF;\n            RETURN NEW;\n          END $$",
    specs: [
      'tests/functional/database/refusals.spec.ts',
      'tests/functional/ledger/open_items.spec.ts',
    ],
  },
  {
    name: 'a bank payment that is entered for two partners at once is booked twice',
    sql: 'DROP INDEX settlement_payments_once',
    specs: ['tests/functional/ledger/payments.spec.ts'],
  },
  {
    name: 'the feed does not learn that a grant was revoked',
    sql: "DROP TRIGGER event_grants_stamp_change ON event_grants;\n          CREATE TRIGGER event_grants_stamp_change BEFORE UPDATE ON event_grants FOR EACH ROW\n            WHEN (OLD.access IS DISTINCT FROM NEW.access AND NEW.access = 'active') EXECUTE FUNCTION stamp_change()",
    specs: [
      'tests/functional/partner_api/list_events.spec.ts',
      'tests/functional/database/refusals.spec.ts',
    ],
  },
  {
    name: 'sales of an event go on after it has begun',
    sql: "CREATE OR REPLACE FUNCTION event_status(stored text, sales_start_at timestamptz, starts_at timestamptz, at timestamptz)\n          RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN\n            CASE\n              WHEN stored = 'cancelled' THEN 'cancelled'\n              WHEN stored = 'sales_scheduled' AND sales_start_at <= at THEN 'sales_open'\n              ELSE stored\n            END",
    specs: [
      'tests/functional/partner_api/create_booking.spec.ts',
      'tests/functional/catalog/sale_gate.spec.ts',
      'tests/functional/races/end_of_event.spec.ts',
    ],
  },
  {
    name: 'a sale does not hold the gate of its partner',
    sql: "CREATE OR REPLACE FUNCTION pass_sale_and_partner_gate(asked_event text, asked_partner integer,\n            OUT status text, OUT access text, OUT is_suspended boolean, OUT max_seats integer) LANGUAGE plpgsql AS $$\n          BEGIN\n            PERFORM pg_advisory_xact_lock_shared(sale_gate(asked_event));\n            PERFORM assert_restore_finished();\n            SELECT event_status(e.stored_status, e.sales_start_at, e.starts_at, clock_timestamp()), g.access,\n                   p.status = 'suspended', e.max_seats_per_booking\n              INTO status, access, is_suspended, max_seats\n              FROM events e JOIN partners p ON p.id = asked_partner\n              LEFT JOIN event_grants g ON g.event_id = e.id AND g.partner_id = p.id\n             WHERE e.id = asked_event;\n          END $$",
    specs: ['tests/functional/races/rights.spec.ts'],
  },
  {
    name: 'a case that ended with money of ours opens again with the next check',
    sql: "CREATE OR REPLACE FUNCTION remember_settled_exposure() RETURNS trigger LANGUAGE plpgsql AS $$\n          BEGIN\n            NEW.settled_buyer_tenge := CASE WHEN NEW.state IN ('resolved', 'dismissed') THEN NEW.buyer_tenge END;\n            NEW.settled_platform_tenge := CASE WHEN NEW.state IN ('resolved', 'dismissed') THEN 0 END;\n            NEW.settled_partner_tenge := CASE WHEN NEW.state IN ('resolved', 'dismissed') THEN NEW.partner_tenge END;\n            RETURN NEW;\n          END $$",
    specs: [
      'tests/functional/defects/exposure_by_party.spec.ts',
      'tests/functional/defects/cases.spec.ts',
      'tests/functional/reconciliation/settled_cases.spec.ts',
    ],
  },
  {
    name: 'a statement is only paid although its payment has a rest',
    sql: "CREATE OR REPLACE VIEW settlement_statement_payments AS\n          SELECT statement_id, partner_id, signed_tenge AS due_tenge,\n                 (sign(signed_tenge) * allocated.tenge)::bigint AS paid_tenge,\n                 CASE WHEN allocated.tenge > abs(signed_tenge) THEN 'overpaid'\n                      WHEN allocated.tenge < abs(signed_tenge) AND allocated.tenge = 0 THEN 'open'\n                      WHEN allocated.tenge < abs(signed_tenge) THEN 'part_paid'\n                      ELSE 'paid' END AS payment_status\n            FROM settlement_statement_items s,\n                 LATERAL (SELECT coalesce(sum(amount_tenge), 0)::bigint AS tenge\n                            FROM (SELECT amount_tenge FROM settlement_allocations WHERE credit = s.item\n                                  UNION ALL SELECT amount_tenge FROM settlement_allocations WHERE debit = s.item) one) allocated",
    specs: [
      'tests/functional/ledger/open_items.spec.ts',
      'tests/functional/ledger/payments.spec.ts',
    ],
  },
  {
    name: 'a buyer who is named in other letters stays in what people have typed',
    sql: "CREATE OR REPLACE FUNCTION without_buyers(words text, customers jsonb[]) RETURNS text\n          LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$\n          DECLARE\n            customer jsonb;\n            pattern text;\n          BEGIN\n            FOREACH customer IN ARRAY customers LOOP\n              FOREACH pattern IN ARRAY buyer_patterns(customer) LOOP\n                words := regexp_replace(words, pattern, '[erased]', 'g');\n              END LOOP;\n            END LOOP;\n            RETURN words;\n          END $$",
    specs: [
      'tests/functional/privacy/erase_buyer.spec.ts',
      'tests/functional/privacy/erasing_act.spec.ts',
    ],
  },
  {
    name: 'a scan of a phone needs no id',
    sql: 'ALTER TABLE ticket_scans DROP CONSTRAINT ticket_scans_check1',
    specs: ['tests/functional/database/refusals.spec.ts'],
  },
  {
    name: 'a grant may be deleted, so that the feed never shows its end',
    sql: 'DROP TRIGGER event_grants_stay ON event_grants',
    specs: ['tests/functional/database/refusals.spec.ts'],
  },
  {
    name: 'a memo that waits for a second person is taken back',
    sql: "DO $do$ BEGIN EXECUTE replace(pg_get_functiondef('check_memo_reversal'::regproc), $piece$AND memo.outcome = 'approved'$piece$, $piece$$piece$); END $do$",
    specs: ['tests/functional/ledger/memos.spec.ts'],
  },
  {
    name: 'two people put one credit against two debts at once',
    sql: "DO $do$ BEGIN EXECUTE replace(pg_get_functiondef('check_allocation'::regproc), $piece$PERFORM 1 FROM settlement_accounts WHERE partner_id = NEW.partner_id FOR NO KEY UPDATE;$piece$, $piece$$piece$); END $do$",
    specs: [
      'tests/functional/ledger/open_items.spec.ts',
      'tests/functional/ledger/simultaneous_acts.spec.ts',
      'tests/functional/database/refusals.spec.ts',
    ],
  },
  {
    name: 'the phone of an erased buyer stays in what people have typed',
    sql: "ALTER FUNCTION buyer_patterns(jsonb) RENAME TO all_buyer_patterns;\n          CREATE FUNCTION buyer_patterns(customer jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE\n            RETURN all_buyer_patterns(customer - 'phone')",
    specs: [
      'tests/functional/privacy/erase_buyer.spec.ts',
      'tests/functional/privacy/erasing_act.spec.ts',
    ],
  },
  {
    name: 'the seal of a payment does not cover its bank reference',
    sql: "DO $do$ BEGIN EXECUTE replace(pg_get_functiondef('seal_of_payment'::regproc), $piece$d.bank_reference::text$piece$, $piece$NULL::text$piece$); END $do$",
    specs: [
      'tests/functional/ledger/seal.spec.ts',
      'tests/functional/invariants/broken_on_purpose.spec.ts',
    ],
  },
  {
    name: 'a row of a wrong clock makes a hundred years of months',
    file: 'database/migrations/88_detach_referenced_months.ts',
    find: "IF newest >= now() + interval '1 year' THEN",
    replace: "IF newest >= now() + interval '1000 years' THEN",
    specs: ['tests/functional/worker/months.spec.ts'],
  },
  {
    name: 'comments in the journal keep an erased buyer',
    sql: "CREATE OR REPLACE FUNCTION typed_details() RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE\n            RETURN ARRAY['reason', 'note']",
    specs: ['tests/functional/privacy/erase_buyer.spec.ts'],
  },
] satisfies Mutant[]
