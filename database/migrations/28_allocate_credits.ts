import { BaseSchema } from '@adonisjs/lucid/schema'

/** Open items: what credits are put against which debits, and what of each is open. ADR 21. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- A credit (payment from the partner, credit memo, statement by which we owe) against a debit (statement, debit memo,
      -- payment to the partner). Items are named as movements name their sources: payment:3, memo:7, statement:12.
      CREATE TABLE settlement_allocations (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        credit text NOT NULL CHECK (credit ~ '^(payment|memo|statement):[1-9][0-9]{0,8}$'),
        debit text NOT NULL CHECK (debit ~ '^(payment|memo|statement):[1-9][0-9]{0,8}$'),
        amount_tenge bigint NOT NULL,
        -- The allocation that this row undoes, with the same amount below zero, and why.
        reverses_id bigint UNIQUE REFERENCES settlement_allocations,
        reason text,
        allocated_by text NOT NULL,
        allocated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CHECK (CASE WHEN reverses_id IS NULL THEN amount_tenge > 0 ELSE amount_tenge < 0 END),
        CHECK ((reverses_id IS NULL) = (reason IS NULL))
      );
      CREATE INDEX settlement_allocations_partner ON settlement_allocations (partner_id, id);
      CREATE INDEX settlement_allocations_credit ON settlement_allocations (credit);
      CREATE INDEX settlement_allocations_debit ON settlement_allocations (debit);
      CREATE INDEX settlement_allocations_of_memos ON settlement_allocations (partner_id)
        WHERE credit LIKE 'memo:%' OR debit LIKE 'memo:%';

      CREATE FUNCTION settlement_allocated(item text) RETURNS bigint LANGUAGE sql STABLE RETURN
        coalesce((SELECT sum(amount_tenge) FROM settlement_allocations WHERE credit = item), 0)::bigint
        + coalesce((SELECT sum(amount_tenge) FROM settlement_allocations WHERE debit = item), 0)::bigint;

      -- Statements in force: what is due for the period. A memo that was put against something before its statement was issued
      -- is paid with that, and no part of the statement: those amounts are taken out again.
      CREATE VIEW settlement_statement_items AS
      SELECT 'statement:' || s.id AS item, s.partner_id, s.id AS statement_id,
             (s.issued_at AT TIME ZONE INTERVAL '05:00')::date AS dated_on,
             s.closing_tenge - s.opening_tenge - coalesce((s.totals -> 'payment' ->> 2)::bigint, 0)
             - coalesce((SELECT sum(CASE WHEN a.debit = m.source THEN a.amount_tenge ELSE -a.amount_tenge END)
                           FROM settlement_allocations a
                           JOIN ledger_movements m ON m.source = ANY (ARRAY[a.credit, a.debit])
                                AND m.kind IN ('adj_debit', 'adj_credit', 'penalty') AND m.statement_id = s.id
                          WHERE a.partner_id = s.partner_id AND (a.credit LIKE 'memo:%' OR a.debit LIKE 'memo:%')
                            AND a.allocated_at <= s.data_as_of), 0)::bigint AS signed_tenge
        FROM settlement_statements s WHERE s.status <> 'superseded';

      -- All items of partners' accounts; positive is a debit: the partner owes it. A memo stands alone until a statement has it,
      -- afterwards it is only what was put against something else before.
      CREATE VIEW settlement_items AS
      SELECT all_items.*, allocated.tenge AS allocated_tenge, abs(signed_tenge) - allocated.tenge AS rest_tenge
        FROM (
          SELECT item, partner_id, 'statement' AS kind, statement_id AS document_id, dated_on, signed_tenge
            FROM settlement_statement_items
           UNION ALL
          SELECT 'payment:' || y.id, y.partner_id, 'payment', y.id, y.paid_on,
                 CASE y.direction WHEN 'from_partner' THEN -y.amount_tenge ELSE y.amount_tenge END
            FROM settlement_payments y
           UNION ALL
          SELECT 'memo:' || memo.id, memo.partner_id, 'memo', memo.id,
                 (memo.decided_at AT TIME ZONE INTERVAL '05:00')::date,
                 CASE memo.kind WHEN 'adj_credit' THEN -1 ELSE 1 END
                 * CASE WHEN s.id IS NULL THEN memo.amount_tenge
                        ELSE coalesce((SELECT sum(amount_tenge) FROM settlement_allocations
                                        WHERE credit = 'memo:' || memo.id AND allocated_at <= s.data_as_of), 0)::bigint
                             + coalesce((SELECT sum(amount_tenge) FROM settlement_allocations
                                          WHERE debit = 'memo:' || memo.id AND allocated_at <= s.data_as_of), 0)::bigint END
            FROM settlement_memos memo
            LEFT JOIN ledger_movements m ON m.source = 'memo:' || memo.id AND m.kind = memo.kind
            LEFT JOIN settlement_statements s ON s.id = m.statement_id
           WHERE memo.outcome = 'approved'
        ) all_items,
        LATERAL (SELECT coalesce(sum(amount_tenge), 0)::bigint AS tenge
                   FROM (SELECT amount_tenge FROM settlement_allocations WHERE credit = item
                         UNION ALL SELECT amount_tenge FROM settlement_allocations WHERE debit = item) one) allocated;

      -- The payment status of statements in force: the only place that computes it. Overpaid: a payment that was put against
      -- the statement has a rest that is put against nothing.
      CREATE VIEW settlement_statement_payments AS
      SELECT statement_id, partner_id, signed_tenge AS due_tenge,
             (sign(signed_tenge) * allocated.tenge)::bigint AS paid_tenge,
             CASE WHEN allocated.tenge > abs(signed_tenge) THEN 'overpaid'
                  WHEN allocated.tenge < abs(signed_tenge) AND allocated.tenge = 0 THEN 'open'
                  WHEN allocated.tenge < abs(signed_tenge) THEN 'part_paid'
                  WHEN EXISTS (SELECT 1 FROM settlement_allocations a
                                 JOIN settlement_payments y
                                   ON y.id = substring(CASE WHEN a.debit = s.item THEN a.credit ELSE a.debit END FROM '^payment:([0-9]+)$')::integer
                                WHERE s.item IN (a.credit, a.debit)
                                GROUP BY y.id HAVING sum(a.amount_tenge) > 0 AND y.amount_tenge > settlement_allocated('payment:' || y.id))
                  THEN 'overpaid'
                  ELSE 'paid' END AS payment_status
        FROM settlement_statement_items s,
             LATERAL (SELECT coalesce(sum(amount_tenge), 0)::bigint AS tenge
                        FROM (SELECT amount_tenge FROM settlement_allocations WHERE credit = s.item
                              UNION ALL SELECT amount_tenge FROM settlement_allocations WHERE debit = s.item) one) allocated;

      -- Payments so far were put against their statements. Before the trigger: what is stored was allowed.
      INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, allocated_by, allocated_at)
      SELECT y.partner_id,
             CASE y.direction WHEN 'from_partner' THEN 'payment:' || y.id ELSE 'statement:' || part.statement_id END,
             CASE y.direction WHEN 'from_partner' THEN 'statement:' || part.statement_id ELSE 'payment:' || y.id END,
             part.amount_tenge, y.recorded_by, part.allocated_at
        FROM settlement_payment_parts part JOIN settlement_payments y ON y.id = part.payment_id
       ORDER BY part.allocated_at, part.payment_id, part.statement_id;

      CREATE FUNCTION check_allocation() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE original settlement_allocations;
      BEGIN
        -- One after another for each partner: two allocations of one credit must see each other.
        PERFORM 1 FROM settlement_accounts WHERE partner_id = NEW.partner_id FOR NO KEY UPDATE;
        -- After the lock, so that the seal of a statement covers every allocation before the moment of its data.
        NEW.allocated_at := clock_timestamp();
        IF NEW.reverses_id IS NOT NULL THEN
          SELECT * INTO original FROM settlement_allocations WHERE id = NEW.reverses_id;
          IF (original.partner_id, original.credit, original.debit, original.amount_tenge, original.reverses_id)
             IS DISTINCT FROM (NEW.partner_id, NEW.credit, NEW.debit, -NEW.amount_tenge, NULL::bigint)
          THEN
            RAISE EXCEPTION 'allocation % is not undone by this row', NEW.reverses_id
              USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_allocations_undo_whole';
          END IF;
          RETURN NEW;
        END IF;
        IF NOT EXISTS (SELECT 1 FROM settlement_items WHERE partner_id = NEW.partner_id AND item = NEW.credit
                          AND signed_tenge < 0 AND rest_tenge >= NEW.amount_tenge)
        THEN
          RAISE EXCEPTION 'credit % has no % left', NEW.credit, NEW.amount_tenge
            USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_allocations_within_credit';
        END IF;
        IF NOT EXISTS (SELECT 1 FROM settlement_items WHERE partner_id = NEW.partner_id AND item = NEW.debit
                          AND signed_tenge > 0 AND rest_tenge >= NEW.amount_tenge)
        THEN
          RAISE EXCEPTION 'debit % has no % left', NEW.debit, NEW.amount_tenge
            USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_allocations_within_debit';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER settlement_allocations_fit BEFORE INSERT ON settlement_allocations
        FOR EACH ROW EXECUTE FUNCTION check_allocation();
      CREATE TRIGGER settlement_allocations_are_kept BEFORE UPDATE OR DELETE ON settlement_allocations
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_allocations_are_never_emptied BEFORE TRUNCATE ON settlement_allocations
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

      -- At the end of the transaction, which undoes the allocations after the withdrawal.
      CREATE FUNCTION refuse_allocated() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF settlement_allocated('statement:' || NEW.id) <> 0 THEN
          RAISE EXCEPTION 'statement % is withdrawn and still paid', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_statements_withdrawn_unpaid';
        END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER settlement_statements_withdrawn_unpaid AFTER UPDATE OF status ON settlement_statements
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (OLD.status <> 'superseded' AND NEW.status = 'superseded') EXECUTE FUNCTION refuse_allocated();

      -- Processes of the version before write parts of payments; this one does not.
      CREATE FUNCTION allocate_part() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, allocated_by)
        SELECT y.partner_id,
               CASE y.direction WHEN 'from_partner' THEN 'payment:' || y.id ELSE 'statement:' || NEW.statement_id END,
               CASE y.direction WHEN 'from_partner' THEN 'statement:' || NEW.statement_id ELSE 'payment:' || y.id END,
               NEW.amount_tenge, y.recorded_by
          FROM settlement_payments y WHERE y.id = NEW.payment_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER settlement_payment_parts_are_allocated AFTER INSERT ON settlement_payment_parts
        FOR EACH ROW EXECUTE FUNCTION allocate_part();
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TRIGGER settlement_payment_parts_are_allocated ON settlement_payment_parts;
      -- What payments were put against since, as the version before stores it.
      INSERT INTO settlement_payment_parts (payment_id, statement_id, amount_tenge)
      SELECT payment_id, statement_id, sum(amount_tenge)
        FROM (SELECT substring(concat_ws(' ', credit, debit) FROM 'payment:([0-9]+)')::integer AS payment_id,
                     substring(concat_ws(' ', credit, debit) FROM 'statement:([0-9]+)')::integer AS statement_id, amount_tenge
                FROM settlement_allocations) allocated
       WHERE payment_id IS NOT NULL AND statement_id IS NOT NULL
       GROUP BY payment_id, statement_id HAVING sum(amount_tenge) > 0
      ON CONFLICT DO NOTHING;
      UPDATE settlement_statements s SET status = CASE p.payment_status WHEN 'part_paid' THEN 'part_paid' ELSE 'paid' END
        FROM settlement_statement_payments p
       WHERE p.statement_id = s.id AND s.status IN ('closed', 'part_paid') AND p.payment_status <> 'open';
      DROP TRIGGER settlement_statements_withdrawn_unpaid ON settlement_statements;
      DROP VIEW settlement_statement_payments, settlement_items, settlement_statement_items;
      DROP FUNCTION settlement_allocated;
      DROP TABLE settlement_allocations;
      DROP FUNCTION allocate_part, refuse_allocated, check_allocation;
    `)
  }
}
