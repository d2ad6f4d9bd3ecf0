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
] satisfies Mutant[]
