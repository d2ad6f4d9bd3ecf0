import { BaseSchema } from '@adonisjs/lucid/schema'

/*
 * Cyrillic letters that look like Latin ones count as these, and П counts as P: «ПП» (платёжное поручение) is often typed PP.
 * Listed in both cases, because lower() knows only Latin letters in a database whose locale is C.
 */
const LETTERS = 'АВЕЁКМНОРСТУХІҺПавеёкмнорстухіһпБГДЖЗИЙЛФЦЧШЩЪЫЬЭЮЯӘҒҚҢӨҰҮ'
const COUNTED_AS = 'abeekmhopctyxihpabeekmhopctyxihpбгджзийлфцчшщъыьэюяәғқңөұү'

/**
 * One bank payment is booked once: by payer, day, normalised reference and amount. The reference alone is no longer unique,
 * because banks and partners begin with №1 every year. Rows that are repeated already stay, marked and in the journal, for a
 * person to look at.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      CREATE FUNCTION payment_reference_key(reference text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        regexp_replace(
          translate(lower(normalize(replace(reference, '№', ''), NFKC)), '${LETTERS}', '${COUNTED_AS}'),
          '[^0-9a-zа-яәғқңөұү]', '', 'g');

      ALTER TABLE settlement_payments
        ADD COLUMN reference_key text GENERATED ALWAYS AS (payment_reference_key(bank_reference)) STORED,
        -- The earlier row of the same payment: both were booked before this was refused.
        ADD COLUMN duplicate_of_id integer REFERENCES settlement_payments;

      UPDATE settlement_payments repeated SET duplicate_of_id = earlier.id
        FROM (SELECT id AS repeated_id,
                     first_value(id) OVER (PARTITION BY direction, paid_on, reference_key, amount_tenge ORDER BY id) AS id
                FROM settlement_payments) earlier
       WHERE earlier.repeated_id = repeated.id AND earlier.id <> repeated.id;
      INSERT INTO journal (name, actor_kind, actor, partner_id, change)
      SELECT 'payment_booked_twice', 'console', 'migration 21', repeated.partner_id,
             jsonb_build_object('bank_reference', repeated.bank_reference, 'direction', repeated.direction,
                                'amount_tenge', repeated.amount_tenge::text, 'duplicate_of', earlier.bank_reference)
        FROM settlement_payments repeated JOIN settlement_payments earlier ON earlier.id = repeated.duplicate_of_id
       ORDER BY repeated.id;

      -- Not by partner: the reference, day and amount of one bank payment belong to one partner.
      CREATE UNIQUE INDEX settlement_payments_once ON settlement_payments (direction, paid_on, reference_key, amount_tenge)
        WHERE duplicate_of_id IS NULL;
      ALTER TABLE settlement_payments DROP CONSTRAINT IF EXISTS settlement_payments_partner_id_bank_reference_key;
      CREATE INDEX settlement_payments_partner ON settlement_payments (partner_id, id);

      -- Not validated: what is stored was allowed before.
      ALTER TABLE settlement_payments ADD CONSTRAINT settlement_payments_have_a_reference CHECK (reference_key <> '') NOT VALID;
      ALTER TABLE settlement_payments ADD CONSTRAINT settlement_payments_are_past CHECK (
        paid_on BETWEEN (recorded_at AT TIME ZONE INTERVAL '05:00')::date - interval '2 years'
                    AND (recorded_at AT TIME ZONE INTERVAL '05:00')::date) NOT VALID;
    `)
  }

  async down() {
    this.schema.raw(`
      -- Not while a reference repeats: an older release cannot record payments then, and none is lost.
      DO $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM settlement_payments GROUP BY partner_id, bank_reference HAVING count(*) > 1)
        THEN ALTER TABLE settlement_payments ADD UNIQUE (partner_id, bank_reference); END IF;
      END $$;
      DROP INDEX settlement_payments_partner, settlement_payments_once;
      ALTER TABLE settlement_payments DROP CONSTRAINT settlement_payments_are_past,
        DROP CONSTRAINT settlement_payments_have_a_reference, DROP COLUMN duplicate_of_id, DROP COLUMN reference_key;
      DROP FUNCTION payment_reference_key;
    `)
  }
}
