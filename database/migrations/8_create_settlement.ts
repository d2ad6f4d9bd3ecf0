import { BaseSchema } from '@adonisjs/lucid/schema'

export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      CREATE DOMAIN basis_points AS integer CHECK (VALUE BETWEEN 0 AND 10000);
      CREATE DOMAIN sha256 AS text CHECK (VALUE ~ '^[0-9a-f]{64}$');
      CREATE DOMAIN statement_status AS text CHECK (VALUE IN ('issued', 'agreed', 'disputed', 'closed', 'part_paid', 'paid', 'superseded'));
      CREATE DOMAIN movement_kind AS text CHECK (VALUE IN (
        'sale', 'refund', 'event_cancel', 'platform_void', 'commission', 'commission_reversal', 'vat', 'vat_reversal',
        'adj_debit', 'adj_credit', 'penalty', 'payment'));

      CREATE TABLE settlement_terms (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        -- A midnight at the venues; a partner's first terms hold since ever.
        valid_from timestamptz NOT NULL,
        period text NOT NULL DEFAULT 'month' CHECK (period IN ('week', 'half_month', 'month')),
        commission_bp basis_points NOT NULL DEFAULT 0,
        vat_bp basis_points NOT NULL DEFAULT 0,
        rounding text NOT NULL DEFAULT 'half_up' CHECK (rounding IN ('half_up', 'down')),
        grace_minutes integer NOT NULL DEFAULT 60 CHECK (grace_minutes BETWEEN 0 AND 10080),
        dispute_days integer NOT NULL DEFAULT 14 CHECK (dispute_days BETWEEN 0 AND 365),
        silence_agrees boolean NOT NULL DEFAULT true,
        min_payment_tenge tenge NOT NULL DEFAULT 0,
        refund_evidence_days integer NOT NULL DEFAULT 3 CHECK (refund_evidence_days BETWEEN 0 AND 365),
        allows_combined_payments boolean NOT NULL DEFAULT false,
        -- For each case of a confirm after the window; 0 for none.
        penalty_tenge tenge NOT NULL DEFAULT 0,
        legal_name text,
        bin text CHECK (bin ~ '^[0-9]{12}$'),
        contract_number text,
        contract_date date,
        -- Who agreed on them for us; null for those that a partner begins with, by which nothing is issued.
        set_by text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (partner_id, valid_from)
      );
      CREATE TRIGGER settlement_terms_stay BEFORE UPDATE ON settlement_terms
        FOR EACH ROW WHEN (OLD.set_by IS NOT NULL) EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_terms_in_force_stay BEFORE DELETE ON settlement_terms
        FOR EACH ROW WHEN (OLD.valid_from <= now()) EXECUTE FUNCTION refuse_change();

      -- One row a partner: whoever closes a period or sets terms locks it.
      CREATE TABLE settlement_accounts (
        partner_id integer PRIMARY KEY REFERENCES partners,
        last_statement_id integer
      );

      CREATE TABLE settlement_counters (
        name text PRIMARY KEY,
        last integer NOT NULL DEFAULT 0
      );
      INSERT INTO settlement_counters (name) VALUES ('statement'), ('memo');

      CREATE TABLE settlement_statements (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        number integer NOT NULL UNIQUE,
        partner_id integer NOT NULL REFERENCES partners,
        status statement_status NOT NULL DEFAULT 'issued',
        -- [from, to), midnights at the venues.
        period_from timestamptz NOT NULL,
        period_to timestamptz NOT NULL,
        zone text NOT NULL,
        utc_offset_minutes smallint NOT NULL,
        terms_id integer NOT NULL REFERENCES settlement_terms,
        opening_tenge bigint NOT NULL,
        closing_tenge bigint NOT NULL,
        -- kind → [movements, tickets, tenge]
        totals jsonb NOT NULL,
        lines integer NOT NULL,
        late_lines integer NOT NULL,
        data_sha256 sha256 NOT NULL,
        prev_id integer,
        prev_sha256 sha256,
        data_as_of timestamptz NOT NULL,
        issued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        issued_by text NOT NULL,
        dispute_until timestamptz NOT NULL,
        status_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        status_by text NOT NULL,
        status_note text,
        -- The one that was withdrawn, when this one was issued in its place.
        supersedes_id integer REFERENCES settlement_statements,
        CHECK (period_from < period_to),
        -- The chain: what a statement says of the one before it is what that one says.
        UNIQUE (id, partner_id, period_to, closing_tenge, data_sha256),
        FOREIGN KEY (prev_id, partner_id, period_from, opening_tenge, prev_sha256)
          REFERENCES settlement_statements (id, partner_id, period_to, closing_tenge, data_sha256) MATCH SIMPLE,
        CHECK ((prev_id IS NULL) = (prev_sha256 IS NULL)),
        CHECK (prev_id IS NOT NULL OR opening_tenge = 0)
      );
      CREATE INDEX settlement_statements_partner ON settlement_statements (partner_id, period_from DESC);
      CREATE INDEX settlement_statements_status ON settlement_statements (status, id);
      -- Of those that stand, each follows one other, and no period is settled twice; a withdrawn one leaves its place.
      CREATE UNIQUE INDEX settlement_statements_next ON settlement_statements (prev_id) WHERE status <> 'superseded';
      CREATE UNIQUE INDEX settlement_statements_period ON settlement_statements (partner_id, period_from) WHERE status <> 'superseded';
      CREATE UNIQUE INDEX first_settlement_statement ON settlement_statements (partner_id)
        WHERE prev_id IS NULL AND status <> 'superseded';
      CREATE UNIQUE INDEX settlement_statements_supersede ON settlement_statements (supersedes_id) WHERE supersedes_id IS NOT NULL;
      ALTER TABLE settlement_accounts ADD FOREIGN KEY (last_statement_id) REFERENCES settlement_statements;
      CREATE TRIGGER settlement_statements_stay BEFORE DELETE ON settlement_statements FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_statements_are_frozen BEFORE UPDATE ON settlement_statements
        FOR EACH ROW WHEN (
          (OLD.id, OLD.number, OLD.partner_id, OLD.period_from, OLD.period_to, OLD.zone, OLD.utc_offset_minutes, OLD.terms_id,
           OLD.opening_tenge, OLD.closing_tenge, OLD.totals, OLD.lines, OLD.late_lines, OLD.data_sha256, OLD.prev_id,
           OLD.prev_sha256, OLD.data_as_of, OLD.issued_at, OLD.issued_by, OLD.dispute_until, OLD.supersedes_id)
          IS DISTINCT FROM
          (NEW.id, NEW.number, NEW.partner_id, NEW.period_from, NEW.period_to, NEW.zone, NEW.utc_offset_minutes, NEW.terms_id,
           NEW.opening_tenge, NEW.closing_tenge, NEW.totals, NEW.lines, NEW.late_lines, NEW.data_sha256, NEW.prev_id,
           NEW.prev_sha256, NEW.data_as_of, NEW.issued_at, NEW.issued_by, NEW.dispute_until, NEW.supersedes_id)
          OR (OLD.status = 'superseded' AND NEW.status <> 'superseded')
          OR (NEW.status = 'superseded' AND OLD.status NOT IN ('issued', 'disputed', 'superseded')))
        EXECUTE FUNCTION refuse_change();

      -- A correction of what was settled: debit has the partner owe more, credit less.
      CREATE TABLE settlement_memos (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- Given with the approval, so that numbers have no gaps.
        number integer UNIQUE,
        partner_id integer NOT NULL REFERENCES partners,
        kind text NOT NULL CHECK (kind IN ('adj_debit', 'adj_credit', 'penalty')),
        amount_tenge bigint NOT NULL CHECK (amount_tenge > 0),
        reason text NOT NULL,
        origin_statement_id integer REFERENCES settlement_statements,
        origin_line integer,
        -- The case that it is evidenced by.
        origin_case_id integer,
        asked_by text NOT NULL,
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        needs_second boolean NOT NULL,
        outcome text CHECK (outcome IN ('approved', 'declined')),
        decided_by text,
        decided_at timestamptz,
        CHECK (num_nonnulls(outcome, decided_by, decided_at) IN (0, 3)),
        CHECK ((number IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'approved')),
        CHECK (outcome IS DISTINCT FROM 'approved' OR NOT needs_second OR decided_by <> asked_by)
      );
      CREATE INDEX settlement_memos_partner ON settlement_memos (partner_id, id);
      CREATE INDEX settlement_memos_open ON settlement_memos (id) WHERE outcome IS NULL;

      CREATE TABLE settlement_payments (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        -- As the bank names it: one that is entered twice counts once.
        bank_reference text NOT NULL,
        paid_on date NOT NULL,
        direction text NOT NULL CHECK (direction IN ('from_partner', 'to_partner')),
        amount_tenge bigint NOT NULL CHECK (amount_tenge > 0),
        recorded_by text NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (partner_id, bank_reference)
      );
      CREATE TABLE settlement_payment_parts (
        payment_id integer NOT NULL REFERENCES settlement_payments,
        statement_id integer NOT NULL REFERENCES settlement_statements,
        amount_tenge bigint NOT NULL CHECK (amount_tenge > 0),
        PRIMARY KEY (payment_id, statement_id)
      );
      CREATE INDEX settlement_payment_parts_statement ON settlement_payment_parts (statement_id);

      -- Signed tenge: what the partner owes us more is positive. Written by what caused it, in its transaction.
      CREATE TABLE ledger_movements (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- No reference: all sales of a partner would lock its one row. It comes from the order, the memo or the payment.
        partner_id integer NOT NULL,
        kind movement_kind NOT NULL,
        amount_tenge bigint NOT NULL,
        tickets smallint NOT NULL DEFAULT 0,
        -- The ticket, order, memo or payment that it comes from: nothing moves the same money twice.
        source text NOT NULL,
        event_id text,
        order_id text,
        terms_id integer,
        rate_bp smallint,
        -- Attributed by our clock.
        effective_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- Taken before the statement is written, which has to know their sum.
        statement_id integer REFERENCES settlement_statements DEFERRABLE INITIALLY DEFERRED,
        line integer,
        UNIQUE (source, kind),
        CHECK ((statement_id IS NULL) = (line IS NULL)),
        CHECK (CASE
          WHEN kind IN ('sale', 'commission_reversal', 'vat_reversal') THEN amount_tenge >= 0
          WHEN kind IN ('refund', 'event_cancel', 'platform_void', 'commission', 'vat') THEN amount_tenge <= 0
          WHEN kind IN ('adj_debit', 'penalty') THEN amount_tenge > 0
          WHEN kind = 'adj_credit' THEN amount_tenge < 0
          ELSE amount_tenge <> 0 END)
      ) WITH (fillfactor = 90);
      CREATE INDEX ledger_movements_open ON ledger_movements (partner_id, effective_at) WHERE statement_id IS NULL;
      CREATE UNIQUE INDEX ledger_movements_statement ON ledger_movements (statement_id, line) WHERE statement_id IS NOT NULL;
      CREATE TRIGGER ledger_movements_stay BEFORE DELETE ON ledger_movements
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER ledger_movements_are_never_emptied BEFORE TRUNCATE ON ledger_movements
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      -- What a withdrawn statement had taken, line by line: it can still be proved, and they are free for the next one.
      CREATE TABLE settlement_superseded_lines (
        statement_id integer NOT NULL REFERENCES settlement_statements,
        line integer NOT NULL,
        -- No reference: a movement is never deleted, and there may be a million of them.
        movement_id bigint NOT NULL,
        PRIMARY KEY (statement_id, line)
      );
      CREATE INDEX settlement_superseded_lines_movement ON settlement_superseded_lines (movement_id);
      CREATE TRIGGER settlement_superseded_lines_stay BEFORE UPDATE OR DELETE ON settlement_superseded_lines
        FOR EACH ROW EXECUTE FUNCTION refuse_change();

      -- A movement leaves its statement only when that one is withdrawn, and not for another at once.
      CREATE FUNCTION keep_settled() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.statement_id IS NULL
           AND EXISTS (SELECT 1 FROM settlement_statements WHERE id = OLD.statement_id AND status = 'superseded')
           AND EXISTS (SELECT 1 FROM settlement_superseded_lines
                        WHERE statement_id = OLD.statement_id AND line = OLD.line AND movement_id = OLD.id)
        THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'movement % is settled', OLD.id USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER ledger_movements_stay_settled BEFORE UPDATE ON ledger_movements
        FOR EACH ROW WHEN (OLD.statement_id IS NOT NULL) EXECUTE FUNCTION keep_settled();
      CREATE TRIGGER ledger_movements_are_frozen BEFORE UPDATE ON ledger_movements
        FOR EACH ROW WHEN (
          (OLD.id, OLD.partner_id, OLD.kind, OLD.amount_tenge, OLD.tickets, OLD.source, OLD.event_id, OLD.order_id,
           OLD.terms_id, OLD.rate_bp, OLD.effective_at, OLD.recorded_at)
          IS DISTINCT FROM
          (NEW.id, NEW.partner_id, NEW.kind, NEW.amount_tenge, NEW.tickets, NEW.source, NEW.event_id, NEW.order_id,
           NEW.terms_id, NEW.rate_bp, NEW.effective_at, NEW.recorded_at))
        EXECUTE FUNCTION refuse_change();

      -- What each comparison of the ledger with orders and tickets has found; the newest counts.
      CREATE TABLE ledger_checks (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        checked_from timestamptz NOT NULL,
        checked_to timestamptz NOT NULL,
        breaches jsonb NOT NULL
      );

      CREATE FUNCTION share_of(amount bigint, rate_bp integer, rounding text)
      RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        CASE rounding WHEN 'down' THEN amount * rate_bp / 10000 ELSE (amount * rate_bp + 5000) / 10000 END;

      -- Commission and its VAT are rounded ticket by ticket: what is taken back for each of them adds up to what was charged.
      CREATE FUNCTION sale_charges(booking text, t settlement_terms)
      RETURNS TABLE (kind text, amount bigint, rate integer) LANGUAGE sql STABLE AS $$
        SELECT m.kind, m.amount::bigint, m.rate
          FROM (SELECT sum(commission) AS commission, sum(share_of(commission, t.vat_bp, t.rounding)) AS vat
                  FROM (SELECT share_of(price_tenge, t.commission_bp, t.rounding) AS commission
                          FROM booking_seats WHERE booking_id = booking) seats) sold,
               LATERAL (VALUES ('commission', -sold.commission, t.commission_bp), ('vat', -sold.vat, t.vat_bp)) m (kind, amount, rate)
         WHERE m.amount <> 0
      $$;
      CREATE FUNCTION void_charges(price bigint, t settlement_terms)
      RETURNS TABLE (kind text, amount bigint, rate integer) LANGUAGE sql STABLE AS $$
        SELECT m.kind, m.amount, m.rate
          FROM (SELECT share_of(price, t.commission_bp, t.rounding) AS commission) back,
               LATERAL (VALUES ('commission_reversal', back.commission, t.commission_bp),
                               ('vat_reversal', share_of(back.commission, t.vat_bp, t.rounding), t.vat_bp)) m (kind, amount, rate)
         WHERE m.amount <> 0
      $$;

      -- Here and not in the use cases, so that no way of selling can forget it.
      CREATE FUNCTION move_sale() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE t settlement_terms;
      BEGIN
        SELECT * INTO STRICT t FROM settlement_terms
         WHERE partner_id = NEW.partner_id AND valid_from <= NEW.confirmed_at ORDER BY valid_from DESC LIMIT 1;
        INSERT INTO ledger_movements
               (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, terms_id, rate_bp, effective_at)
        SELECT NEW.partner_id, m.kind, m.amount, m.tickets, NEW.id, NEW.event_id, NEW.id, t.id, m.rate, NEW.confirmed_at
          FROM (SELECT 'sale' AS kind, NEW.total_tenge::bigint AS amount, NULL::integer AS rate,
                       (SELECT count(*) FROM booking_seats WHERE booking_id = NEW.booking_id) AS tickets
                 UNION ALL SELECT kind, amount, rate, 0 FROM sale_charges(NEW.booking_id, t)) m;
        RETURN NULL;
      END $$;
      CREATE TRIGGER orders_move_sale AFTER UPDATE OF stored_status ON orders
        FOR EACH ROW WHEN (OLD.stored_status = 'pending' AND NEW.stored_status = 'paid') EXECUTE FUNCTION move_sale();

      CREATE FUNCTION void_kind(cause text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        CASE cause WHEN 'refund' THEN 'refund' WHEN 'event_cancelled' THEN 'event_cancel' ELSE 'platform_void' END;

      CREATE FUNCTION move_void() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO ledger_movements
               (partner_id, kind, amount_tenge, tickets, source, event_id, order_id, terms_id, rate_bp, effective_at)
        SELECT sale.partner_id, m.kind, m.amount, m.tickets, NEW.id, NEW.event_id, NEW.order_id, t.id, m.rate, NEW.voided_at
          FROM ledger_movements sale JOIN settlement_terms t ON t.id = sale.terms_id,
               LATERAL (SELECT void_kind(NEW.void_cause) AS kind, -NEW.price_tenge::bigint AS amount, NULL::integer AS rate, 1 AS tickets
                         UNION ALL SELECT kind, amount, rate, 0 FROM void_charges(NEW.price_tenge, t)) m
         WHERE sale.source = NEW.order_id AND sale.kind = 'sale';
        RETURN NULL;
      END $$;
      CREATE TRIGGER tickets_move_void AFTER UPDATE OF status ON tickets
        FOR EACH ROW WHEN (OLD.status <> 'void' AND NEW.status = 'void') EXECUTE FUNCTION move_void();

      CREATE FUNCTION open_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO settlement_accounts (partner_id) VALUES (NEW.id);
        INSERT INTO settlement_terms (partner_id, valid_from) VALUES (NEW.id, '2000-01-01 00:00:00+05');
        RETURN NULL;
      END $$;
      CREATE TRIGGER partners_open_account AFTER INSERT ON partners FOR EACH ROW EXECUTE FUNCTION open_account();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TRIGGER partners_open_account ON partners;
      DROP TRIGGER tickets_move_void ON tickets;
      DROP TRIGGER orders_move_sale ON orders;
      DROP TRIGGER ledger_movements_stay_settled ON ledger_movements;
      DROP FUNCTION keep_settled, open_account, move_void, void_kind, move_sale, void_charges, sale_charges, share_of;
      DROP TABLE ledger_checks, settlement_superseded_lines, ledger_movements, settlement_payment_parts, settlement_payments, settlement_memos, settlement_counters,
        settlement_accounts, settlement_statements, settlement_terms CASCADE;
      DROP DOMAIN movement_kind, statement_status, sha256, basis_points;
    `)
  }
}
