import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * A bank payment that was recorded for the wrong partner is reversed there and recorded again for the right one.
 *
 *     ПП-17, partner A   round 0   keeps its reference; another ПП-17 would have round 0, which the index refuses
 *     its reversal                 ПП-17 keeps it no longer
 *     ПП-17, partner B   round 1   keeps its reference
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- How many earlier rows of the same bank payment no longer keep its reference.
      ALTER TABLE settlement_payments ADD COLUMN IF NOT EXISTS booking_round smallint NOT NULL DEFAULT 0;

      -- False for a reversed payment. Once that is recorded again, false for its reversal, too.
      CREATE FUNCTION payment_keeps_reference(payment settlement_payments) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT NOT EXISTS (SELECT 1 FROM settlement_payments back WHERE back.reverses_id = payment.id)
           AND NOT EXISTS (SELECT 1 FROM settlement_payments reversed
                             JOIN settlement_payments again USING (direction, paid_on, reference_key, amount_tenge)
                            WHERE reversed.id = payment.reverses_id AND again.booking_round > reversed.booking_round)
      $$;
      CREATE FUNCTION count_booking_round() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- While one of them keeps the reference: the first round, which is taken.
        NEW.booking_round := (SELECT CASE WHEN bool_or(payment_keeps_reference(earlier)) THEN 0 ELSE count(*) END
                                FROM settlement_payments earlier
                               WHERE earlier.direction = NEW.direction AND earlier.paid_on = NEW.paid_on
                                 AND earlier.reference_key = payment_reference_key(NEW.bank_reference)
                                 AND earlier.amount_tenge = NEW.amount_tenge);
        RETURN NEW;
      END $$;
      CREATE TRIGGER settlement_payments_count_booking_round BEFORE INSERT ON settlement_payments
        FOR EACH ROW EXECUTE FUNCTION count_booking_round();

      -- Adding the column has locked the table: no payment is recorded between the two indexes.
      DROP INDEX settlement_payments_once;
      -- Short lock: settlement_payments has some thousand rows, and no sale waits for it.
      CREATE UNIQUE INDEX settlement_payments_once ON settlement_payments
        (direction, paid_on, reference_key, amount_tenge, booking_round) WHERE duplicate_of_id IS NULL;
      -- Short lock: as above. Finds the rows that the unique index leaves out, too.
      CREATE INDEX settlement_payments_day ON settlement_payments (paid_on);
    `)
  }

  async down() {
    this.schema.raw(`
      -- The column and the unique index stay: the version before writes round 0, which allows one row of a bank payment, as it expects.
      DROP INDEX settlement_payments_day;
      DROP TRIGGER settlement_payments_count_booking_round ON settlement_payments;
      DROP FUNCTION count_booking_round, payment_keeps_reference;
    `)
  }
}
