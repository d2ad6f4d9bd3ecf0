import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Whether two rows are one bank payment, by a key of their references: «ПП 000017» and «ПП 17» are.
 *
 *     ПП-17, partner A     round 0   reversed: it keeps its reference no longer
 *     ПП 0017, partner B   round 1   keeps it
 */
const referenceRules = (keyOf: (row: string) => string) => `
  CREATE OR REPLACE FUNCTION payment_keeps_reference(payment settlement_payments) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT NOT EXISTS (SELECT 1 FROM settlement_payments back WHERE back.reverses_id = payment.id)
       AND NOT EXISTS (SELECT 1 FROM settlement_payments reversed
                         JOIN settlement_payments again USING (direction, paid_on, amount_tenge)
                        WHERE reversed.id = payment.reverses_id AND again.booking_round > reversed.booking_round
                          AND ${keyOf('again')} = ${keyOf('reversed')})
  $$;
  CREATE OR REPLACE FUNCTION count_booking_round() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    -- While one of them keeps the reference: the first round, which is taken.
    NEW.booking_round := (SELECT CASE WHEN bool_or(payment_keeps_reference(earlier)) THEN 0 ELSE count(*) END
                            FROM settlement_payments earlier
                           WHERE earlier.direction = NEW.direction AND earlier.paid_on = NEW.paid_on
                             AND ${keyOf('earlier')} = ${keyOf('NEW')}
                             AND earlier.amount_tenge = NEW.amount_tenge);
    RETURN NEW;
  END $$;
  DROP INDEX settlement_payments_once;
`

const SAME_PAYMENT = 'direction, paid_on, bank_payment_key(bank_reference), amount_tenge'

const moment = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const text = (row: string, names: string[]) => names.map((name) => `${row}.${name}::text`)

/** What a seal covers of each document, in the canonical form of statements (`app/ledger/seal.ts`). A decision comes after its memo. */
const DOCUMENTS = [
  {
    name: 'payment',
    table: 'settlement_payments',
    values: [
      ...text('d', ['id', 'partner_id', 'bank_reference']),
      `to_char(d.paid_on, 'YYYY-MM-DD')`,
      ...text('d', ['direction', 'amount_tenge', 'recorded_by']),
      moment('d.recorded_at'),
      ...text('d', ['approved_by', 'reverses_id', 'reason']),
    ],
  },
  {
    name: 'memo',
    table: 'settlement_memos',
    values: [
      ...text('d', ['id', 'partner_id', 'kind', 'amount_tenge', 'reason', 'origin_statement_id']),
      ...text('d', ['origin_line', 'origin_case_id', 'asked_by']),
      moment('d.asked_at'),
      ...text('d', ['needs_second', 'reverses_id']),
    ],
  },
  {
    name: 'decision',
    table: 'settlement_memos',
    values: [...text('d', ['id', 'number', 'outcome', 'decided_by']), moment('d.decided_at')],
  },
]

const selectDocuments = DOCUMENTS.map(
  ({ name, table }) =>
    `SELECT '${name}:' || d.id AS document, d.partner_id, seal_of_${name}(d) AS sha256 FROM ${table} d
      ${name === 'decision' ? 'WHERE d.outcome IS NOT NULL' : ''}`
).join(' UNION ALL ')

/**
 * Zeros at the beginning of a number count for nothing also where two accounts record one bank payment at once. And every memo
 * and payment gets a seal when it is recorded, so that a change past the triggers is found before a statement seals it.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      -- A normalised reference in which no number begins with a zero: banks write six digits, people do not.
      CREATE FUNCTION bank_payment_key(reference text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        regexp_replace(payment_reference_key(reference), '(^|[^0-9])0+([1-9])', '\\1\\2', 'g');
      ${referenceRules((row) => `bank_payment_key(${row}.bank_reference)`)}

      -- Rows of one bank payment that was written with different zeros: each gets a round of its own, in which the index knows it.
      -- What repeats a row that keeps its reference stays, marked and in the journal, for a person to look at.
      ALTER TABLE settlement_payments DISABLE TRIGGER settlement_payments_are_kept;
      UPDATE settlement_payments y SET booking_round = found.place
        FROM (SELECT id, row_number() OVER (PARTITION BY ${SAME_PAYMENT} ORDER BY id) - 1 AS place,
                     min(reference_key) OVER same <> max(reference_key) OVER same AS is_spelt_differently
                FROM settlement_payments WINDOW same AS (PARTITION BY ${SAME_PAYMENT})) found
       WHERE found.id = y.id AND found.is_spelt_differently;
      WITH kept AS MATERIALIZED (
             SELECT id, first_value(id) OVER (PARTITION BY ${SAME_PAYMENT} ORDER BY id) AS first_id
               FROM settlement_payments y WHERE duplicate_of_id IS NULL AND payment_keeps_reference(y)),
           marked AS (
             UPDATE settlement_payments y SET duplicate_of_id = kept.first_id FROM kept
              WHERE kept.id = y.id AND kept.id <> kept.first_id RETURNING y.*)
      INSERT INTO journal (name, actor_kind, actor, partner_id, change)
      SELECT 'payment_booked_twice', 'console', 'migration 100', y.partner_id,
             jsonb_build_object('bank_reference', y.bank_reference, 'direction', y.direction,
                                'amount_tenge', y.amount_tenge::text, 'duplicate_of', earlier.bank_reference)
        FROM marked y JOIN settlement_payments earlier ON earlier.id = y.duplicate_of_id ORDER BY y.id;
      ALTER TABLE settlement_payments ENABLE TRIGGER settlement_payments_are_kept;
      -- Short lock: settlement_payments has some thousand rows, and no sale waits for it.
      CREATE UNIQUE INDEX settlement_payments_once ON settlement_payments (${SAME_PAYMENT}, booking_round)
        WHERE duplicate_of_id IS NULL;

      CREATE TABLE settlement_seals (
        -- 'payment:17', 'memo:4', 'decision:4'.
        document text PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        sha256 sha256 NOT NULL,
        sealed_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE TRIGGER settlement_seals_are_kept BEFORE UPDATE OR DELETE ON settlement_seals
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_seals_are_never_emptied BEFORE TRUNCATE ON settlement_seals
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    `)
    for (const { name, table, values } of DOCUMENTS)
      this.schema.raw(`
        CREATE FUNCTION seal_of_${name}(d ${table}) RETURNS text LANGUAGE sql STABLE AS $$
          SELECT encode(sha256(convert_to(json_build_array('${name}', ${values.join(', ')})::text, 'UTF8')), 'hex')
        $$;
        -- The owner's right: the application can write no seal by itself.
        CREATE FUNCTION seal_${name}() RETURNS trigger LANGUAGE plpgsql
          SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        BEGIN
          INSERT INTO settlement_seals (document, partner_id, sha256)
          VALUES ('${name}:' || NEW.id, NEW.partner_id, seal_of_${name}(NEW)) ON CONFLICT DO NOTHING;
          RETURN NULL;
        END $$;
        REVOKE EXECUTE ON FUNCTION seal_${name}() FROM PUBLIC;
      `)
    this.schema.raw(`
      CREATE TRIGGER settlement_payments_seal AFTER INSERT ON settlement_payments
        FOR EACH ROW EXECUTE FUNCTION seal_payment();
      CREATE TRIGGER settlement_memos_seal AFTER INSERT ON settlement_memos
        FOR EACH ROW EXECUTE FUNCTION seal_memo();
      CREATE TRIGGER settlement_memos_seal_decision AFTER INSERT OR UPDATE ON settlement_memos
        FOR EACH ROW WHEN (NEW.outcome IS NOT NULL) EXECUTE FUNCTION seal_decision();
      -- What was recorded before is sealed as it stands.
      INSERT INTO settlement_seals (document, partner_id, sha256) ${selectDocuments};
    `)
  }

  async down() {
    this.schema.raw(`
      DROP TRIGGER settlement_memos_seal_decision ON settlement_memos;
      DROP TRIGGER settlement_memos_seal ON settlement_memos;
      DROP TRIGGER settlement_payments_seal ON settlement_payments;
      DROP FUNCTION seal_payment, seal_memo, seal_decision, seal_of_payment, seal_of_memo, seal_of_decision;
      DROP TABLE settlement_seals;
      ${referenceRules((row) => `payment_reference_key(${row}.bank_reference)`)}
      -- Short lock: settlement_payments has some thousand rows, and no sale waits for it.
      CREATE UNIQUE INDEX settlement_payments_once ON settlement_payments
        (direction, paid_on, reference_key, amount_tenge, booking_round) WHERE duplicate_of_id IS NULL;
      DROP FUNCTION bank_payment_key;
    `)
  }
}
