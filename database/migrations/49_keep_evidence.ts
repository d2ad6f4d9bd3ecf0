import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * What confirmed registers show that differs from our orders, and by what a check finds it. A confirmed register never changes, so
 * it is worked out once, by the first check after the confirmation.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Registers whose evidence is kept.
      CREATE TABLE partner_register_kept_evidence (
        register_id integer PRIMARY KEY REFERENCES partner_registers,
        -- Which version of the code has worked it out.
        form integer NOT NULL,
        -- How many of its cases are kept.
        cases integer NOT NULL,
        kept_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );

      -- Cases that differ, and those of several orders.
      CREATE TABLE partner_register_evidence (
        case_id integer PRIMARY KEY,
        register_id integer NOT NULL REFERENCES partner_registers,
        place integer NOT NULL,
        is_differing boolean NOT NULL,
        shown json NOT NULL
      );

      -- Payments that rows name for orders of ours, where it is not the payment that the order was confirmed with.
      CREATE TABLE partner_register_named_payments (
        register_id integer NOT NULL REFERENCES partner_registers,
        payment_id text NOT NULL,
        order_id text NOT NULL
      );
      CREATE INDEX partner_register_named_payments_payment ON partner_register_named_payments USING hash (payment_id);
      CREATE INDEX partner_register_named_payments_order ON partner_register_named_payments (order_id);

      -- Orders and payments that such a case leads to, as foldId spells orders.
      CREATE TABLE partner_register_evidence_keys (
        partner_id integer NOT NULL REFERENCES partners,
        case_id integer NOT NULL,
        kind text NOT NULL CHECK (kind IN ('order', 'payment')),
        key text NOT NULL,
        -- When our order was made, or an unknown one was charged.
        at timestamptz
      );
      -- By hash: a cell of a file may be longer than a B-tree can hold.
      CREATE INDEX partner_register_evidence_keys_key ON partner_register_evidence_keys USING hash (key);
      CREATE INDEX partner_register_evidence_keys_at ON partner_register_evidence_keys (partner_id, at, case_id)
        WHERE at IS NOT NULL;

      -- Found every differing case of every register, at every check.
      DROP INDEX partner_register_cases_remarkable;
    `)
  }

  async down() {
    this.schema.raw(`
      CREATE INDEX partner_register_cases_remarkable ON partner_register_cases (register_id, place)
        WHERE NOT (category = 'MATCHED' AND refunds_tenge = 0
          AND decision IS DISTINCT FROM 'rejected' AND NOT why @> '[{"code": "NET_OF_REFUND"}]');
      DROP TABLE partner_register_evidence_keys;
      DROP TABLE partner_register_named_payments;
      DROP TABLE partner_register_evidence;
      DROP TABLE partner_register_kept_evidence;
    `)
  }
}
