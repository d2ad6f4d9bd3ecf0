import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE DOMAIN register_state AS text CHECK (VALUE IN ('uploaded', 'mapped', 'read', 'matched', 'confirmed', 'dropped'));

      -- A partner's own list of its sales, as a file that somebody of finance has uploaded.
      CREATE TABLE partner_registers (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        state register_state NOT NULL DEFAULT 'uploaded',
        -- [from, to), midnights at the venues.
        period_from timestamptz NOT NULL,
        period_to timestamptz NOT NULL,
        file_name text NOT NULL CHECK (char_length(file_name) BETWEEN 1 AND 200),
        bytes integer NOT NULL CHECK (bytes > 0),
        sha256 sha256 NOT NULL,
        format text NOT NULL CHECK (format IN ('xlsx', 'csv')),
        encoding text,
        sheets text[] NOT NULL,
        sheet text,
        -- The first rows, and what each column seems to hold.
        preview jsonb NOT NULL,
        -- field → column, from 0; with it the file is read.
        mapping jsonb,
        -- What somebody typed from the letter that came with it.
        declared_rows integer CHECK (declared_rows >= 0),
        declared_tenge bigint,
        -- What the file says it contains against what was read.
        control jsonb,
        -- Why it could not be read to its end.
        problem jsonb,
        -- category → figures
        totals jsonb,
        fee_rules jsonb NOT NULL DEFAULT '[]',
        uploaded_by text NOT NULL,
        uploaded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        read_at timestamptz,
        matched_at timestamptz,
        decided_by text,
        decided_at timestamptz,
        version integer NOT NULL DEFAULT 1,
        CHECK (period_from < period_to),
        CHECK (state IN ('uploaded', 'dropped') OR mapping IS NOT NULL),
        CHECK (state NOT IN ('read', 'matched', 'confirmed') OR control IS NOT NULL),
        CHECK (state NOT IN ('matched', 'confirmed') OR totals IS NOT NULL)
      );
      -- The same file is the same import, whatever it is called.
      CREATE UNIQUE INDEX one_register_a_file ON partner_registers (partner_id, sha256) WHERE state <> 'dropped';
      CREATE INDEX partner_registers_partner ON partner_registers (partner_id, id);

      -- What is known of a partner's registers: the headers of its columns, and the fee that its amounts contain.
      CREATE TABLE partner_register_habits (
        partner_id integer PRIMARY KEY REFERENCES partners,
        mapping jsonb NOT NULL DEFAULT '{}',
        fee_rules jsonb NOT NULL DEFAULT '[]'
      );

      CREATE TABLE partner_register_rows (
        register_id integer NOT NULL REFERENCES partner_registers,
        line integer NOT NULL,
        raw jsonb NOT NULL,
        order_key text,
        order_id text,
        payment_id text,
        -- Negative for a refund; null when it could not be read.
        amount_tenge bigint,
        fee_tenge bigint,
        at timestamptz,
        precision time_precision,
        kind text NOT NULL CHECK (kind IN ('sale', 'refund')),
        is_not_paid boolean NOT NULL,
        email text,
        event text,
        ticket_number text,
        is_unparseable boolean NOT NULL,
        problems jsonb NOT NULL,
        PRIMARY KEY (register_id, line)
      );
      -- What people search by. A cell may be longer than an index can hold.
      CREATE INDEX partner_register_rows_key ON partner_register_rows (register_id, left(order_key, 64))
        WHERE order_key IS NOT NULL;
      CREATE INDEX partner_register_rows_payment ON partner_register_rows (register_id, left(payment_id, 64))
        WHERE payment_id IS NOT NULL;

      -- Rows and orders that are judged together.
      CREATE TABLE partner_register_cases (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        register_id integer NOT NULL REFERENCES partner_registers,
        -- In the order of the file's lines.
        place integer NOT NULL,
        -- Of its lines and orders: by it a repeated matching finds what people have decided.
        key text NOT NULL,
        category text NOT NULL,
        step text NOT NULL,
        is_suggested boolean NOT NULL,
        sales_tenge bigint NOT NULL,
        refunds_tenge bigint NOT NULL,
        total_tenge bigint NOT NULL,
        refunded_tenge bigint NOT NULL,
        why jsonb NOT NULL,
        exposure_tenge tenge NOT NULL,
        exposure_party exposure_party NOT NULL,
        -- The order that money without a paid order was meant for.
        meant_order_id text,
        decision text CHECK (decision IN ('accepted', 'rejected')),
        decided_by text,
        decided_at timestamptz,
        owner_id integer REFERENCES staff,
        due_on date,
        note text,
        version integer NOT NULL DEFAULT 1,
        UNIQUE (register_id, place),
        UNIQUE (register_id, key),
        CHECK ((exposure_tenge = 0) = (exposure_party = 'NONE')),
        CHECK (num_nonnulls(decision, decided_by, decided_at) IN (0, 3))
      );
      CREATE INDEX partner_register_cases_category ON partner_register_cases (register_id, category, place);
      CREATE INDEX partner_register_cases_suggested ON partner_register_cases (register_id, place) WHERE is_suggested;
      CREATE INDEX partner_register_cases_meant ON partner_register_cases (meant_order_id) WHERE meant_order_id IS NOT NULL;

      -- A row stands in one case, an order too: the keys say so. What a foreign key would say of the case, and that it is
      -- of the same register, triggers say: they look once a statement, a foreign key once a row, and a register has
      -- hundreds of thousands.
      CREATE TABLE partner_register_case_rows (
        register_id integer NOT NULL,
        line integer NOT NULL,
        case_id integer NOT NULL,
        PRIMARY KEY (register_id, line),
        FOREIGN KEY (register_id, line) REFERENCES partner_register_rows
      );
      CREATE INDEX partner_register_case_rows_case ON partner_register_case_rows (case_id);
      CREATE TABLE partner_register_case_orders (
        register_id integer NOT NULL,
        order_id text NOT NULL REFERENCES orders,
        case_id integer NOT NULL,
        -- As it stood when it was compared.
        status order_status NOT NULL,
        total_tenge bigint NOT NULL,
        refunded_tenge bigint NOT NULL,
        PRIMARY KEY (register_id, order_id)
      );
      CREATE INDEX partner_register_case_orders_case ON partner_register_case_orders (case_id);
      CREATE INDEX partner_register_case_orders_order ON partner_register_case_orders (order_id);

      CREATE FUNCTION keep_to_register() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE wrong integer;
      BEGIN
        -- Until this transaction ends no case of these registers is deleted.
        PERFORM FROM partner_registers WHERE id IN (SELECT register_id FROM added) FOR SHARE;
        -- By the case's own index, not through all cases of the register.
        SELECT a.case_id INTO wrong
          FROM added a
          LEFT JOIN LATERAL (SELECT register_id FROM partner_register_cases WHERE id = a.case_id OFFSET 0) c ON true
         WHERE c.register_id IS DISTINCT FROM a.register_id LIMIT 1;
        IF wrong IS NOT NULL THEN
          RAISE EXCEPTION 'case % is none of this register', wrong USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE FUNCTION keep_cases_in_use() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE used integer;
      BEGIN
        PERFORM FROM partner_registers WHERE id IN (SELECT register_id FROM deleted) FOR NO KEY UPDATE;
        SELECT id INTO used FROM deleted
         WHERE EXISTS (SELECT FROM partner_register_case_rows WHERE case_id = deleted.id)
            OR EXISTS (SELECT FROM partner_register_case_orders WHERE case_id = deleted.id) LIMIT 1;
        IF used IS NOT NULL THEN
          RAISE EXCEPTION 'case % still has rows or orders', used USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER partner_register_cases_in_use AFTER DELETE ON partner_register_cases
        REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION keep_cases_in_use();
      CREATE TRIGGER partner_register_case_rows_keep AFTER INSERT ON partner_register_case_rows
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_to_register();
      CREATE TRIGGER partner_register_case_orders_keep AFTER INSERT ON partner_register_case_orders
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_to_register();
      CREATE TRIGGER partner_register_case_rows_stay BEFORE UPDATE ON partner_register_case_rows
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER partner_register_case_orders_stay BEFORE UPDATE ON partner_register_case_orders
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER partner_register_cases_keep BEFORE UPDATE OF id, register_id ON partner_register_cases
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TABLE partner_register_case_orders, partner_register_case_rows, partner_register_cases, partner_register_rows,
        partner_register_habits, partner_registers;
      DROP FUNCTION keep_to_register();
      DROP FUNCTION keep_cases_in_use();
      DROP DOMAIN register_state;
    `)
  }
}
