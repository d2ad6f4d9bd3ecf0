import { BaseSchema } from '@adonisjs/lucid/schema'

const STATES = ['uploaded', 'mapped', 'read', 'matched', 'confirmed', 'dropped']
/** What stays as it is takes no step. */
const STEPS = [
  ['uploaded', 'mapped'],
  ['uploaded', 'dropped'],
  ['mapped', 'uploaded'],
  ['mapped', 'read'],
  ['mapped', 'dropped'],
  ['read', 'uploaded'],
  ['read', 'mapped'],
  ['read', 'matched'],
  ['read', 'dropped'],
  ['matched', 'uploaded'],
  ['matched', 'mapped'],
  ['matched', 'read'],
  ['matched', 'confirmed'],
  ['matched', 'dropped'],
  ['confirmed', 'dropped'],
]

const statesAre = (states: string[]) => `
  ALTER DOMAIN register_state DROP CONSTRAINT register_state_check;
  -- Short lock: partner_registers has a row for each file.
  ALTER DOMAIN register_state ADD CONSTRAINT register_state_check
    CHECK (VALUE IN (${states.map((state) => `'${state}'`).join(', ')}));`

const stepsAre = (steps: string[][]) => `
  DROP TRIGGER partner_registers_keep_to_states ON partner_registers;
  CREATE TRIGGER partner_registers_keep_to_states BEFORE UPDATE OF state ON partner_registers FOR EACH ROW
    WHEN (OLD.state <> NEW.state
      AND (OLD.state, NEW.state) NOT IN (${steps.map(([from, to]) => `('${from}', '${to}')`).join(', ')}))
    EXECUTE FUNCTION refuse_step('state');`

/**
 * Every register belongs to a source, and a source has at most one confirmed register for a day (ADR 20). Registers so far get
 * a source for each partner and set of column headers. Where confirmed ones of a source overlap, the one that was confirmed
 * last stays and replaces the others; each replacement is in the journal.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      CREATE TABLE register_sources (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partner_id integer NOT NULL REFERENCES partners,
        name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
        row_is text NOT NULL DEFAULT 'payment' CHECK (row_is IN ('order', 'payment', 'ticket')),
        covers_sales boolean NOT NULL DEFAULT true,
        covers_refunds boolean NOT NULL DEFAULT true,
        -- The partner's word for an operation, in small letters → charge, refund or not_money.
        words jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        created_by text NOT NULL,
        version integer NOT NULL DEFAULT 1,
        CHECK (covers_sales OR covers_refunds),
        -- For the foreign key that keeps a register to a source of its partner.
        UNIQUE (partner_id, id)
      );
      CREATE UNIQUE INDEX register_sources_name ON register_sources (partner_id, lower(name));

      ALTER TABLE partner_registers
        ADD COLUMN source_id integer,
        -- The register that was confirmed for its days instead.
        ADD COLUMN replaced_by integer REFERENCES partner_registers,
        -- What was wrong when it was confirmed, and why somebody confirmed it nevertheless.
        ADD COLUMN waiver jsonb;
    `)
    this.schema.raw(statesAre([...STATES, 'replaced']))
    this.schema.raw(stepsAre([...STEPS, ['confirmed', 'replaced'], ['replaced', 'dropped']]))
    this.schema.raw(GIVE_SOURCES)
    this.schema.raw(REPLACE_OVERLAPPING)
    this.schema.raw(GIVE_SOURCE_TO_FORMER_VERSION)
    this.schema.raw(`
      ALTER TABLE partner_registers
        ALTER COLUMN source_id SET NOT NULL,
        ADD FOREIGN KEY (partner_id, source_id) REFERENCES register_sources (partner_id, id),
        ADD CONSTRAINT partner_registers_replaced
          CHECK (state <> 'replaced' OR replaced_by IS NOT NULL AND totals IS NOT NULL),
        ADD CONSTRAINT partner_registers_replaced_by
          CHECK (replaced_by IS NULL OR replaced_by <> id AND state IN ('replaced', 'dropped')),
        ADD CONSTRAINT one_confirmed_register_a_source_and_day EXCLUDE USING gist (
          int4range(source_id, source_id, '[]') WITH &&, tstzrange(period_from, period_to) WITH &&
        ) WHERE (state = 'confirmed');
      CREATE INDEX partner_registers_source ON partner_registers (source_id, id);
      CREATE INDEX partner_registers_replaced_by ON partner_registers (replaced_by) WHERE replaced_by IS NOT NULL;
    `)
  }

  async down() {
    this.schema.raw(`
      ALTER TABLE partner_registers DROP CONSTRAINT one_confirmed_register_a_source_and_day,
        DROP CONSTRAINT partner_registers_replaced_by, DROP CONSTRAINT partner_registers_replaced;
      ALTER TABLE partner_registers DISABLE TRIGGER partner_registers_keep_to_states;
      -- Without sources nothing replaces: they count again, as they did before.
      UPDATE partner_registers SET state = 'confirmed' WHERE state = 'replaced';
      ALTER TABLE partner_registers ENABLE TRIGGER partner_registers_keep_to_states;
      DROP TRIGGER partner_registers_uploaded_by_former_version ON partner_registers;
      DROP FUNCTION give_source_to_register;
      ALTER TABLE partner_registers DROP COLUMN waiver, DROP COLUMN replaced_by, DROP COLUMN source_id;
      DROP TABLE register_sources;
    `)
    this.schema.raw(stepsAre(STEPS))
    this.schema.raw(statesAre(STATES))
  }
}

/** The column headers of a register, by which those of one source are recognised. */
const headersOf = (preview: string) => `
    ARRAY(SELECT DISTINCT lower(btrim(header)) FROM jsonb_array_elements_text(${preview} -> 'headers') header
           WHERE btrim(header) <> '' ORDER BY 1)`

/** Named «№ 1», «№ 2» in the order of their first registers; a person gives them better names. */
const GIVE_SOURCES = `
  WITH read AS (
    SELECT id, partner_id, ${headersOf('preview')} AS headers
      FROM partner_registers),
  given AS (
    SELECT partner_id, array_agg(id) AS registers, '№ ' || row_number() OVER (PARTITION BY partner_id ORDER BY min(id)) AS name
      FROM read GROUP BY partner_id, headers),
  sources AS (
    INSERT INTO register_sources (partner_id, name, created_by) SELECT partner_id, name, 'migration 27' FROM given
    RETURNING id, partner_id, name)
  UPDATE partner_registers r SET source_id = s.id
    FROM given JOIN sources s USING (partner_id, name) WHERE r.id = ANY (given.registers);`

/**
 * Processes of 0.2.0 go on uploading registers during the upgrade, and know no sources: such a register gets the source of the
 * partner's last one with the same headers, or a new one; without headers always a new one. Dropped in the release after the next.
 */
const GIVE_SOURCE_TO_FORMER_VERSION = `
  CREATE FUNCTION give_source_to_register() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    SELECT r.source_id INTO NEW.source_id FROM partner_registers r
     WHERE r.partner_id = NEW.partner_id AND ${headersOf('r.preview')} = ${headersOf('NEW.preview')}
       AND ${headersOf('NEW.preview')} <> '{}'
     ORDER BY r.id DESC LIMIT 1;
    IF NEW.source_id IS NULL THEN
      -- The id is a number that no source of this partner is named by.
      INSERT INTO register_sources (partner_id, name, created_by) VALUES (NEW.partner_id, '№ ' || NEW.id, NEW.uploaded_by)
      RETURNING id INTO NEW.source_id;
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER partner_registers_uploaded_by_former_version BEFORE INSERT ON partner_registers FOR EACH ROW
    WHEN (NEW.source_id IS NULL) EXECUTE FUNCTION give_source_to_register();`

/** From the register that was confirmed last to the first: what overlaps one that stays is replaced by it. */
const REPLACE_OVERLAPPING = `
  DO $$
  DECLARE
    candidate record;
    newer record;
  BEGIN
    FOR candidate IN
      SELECT * FROM partner_registers WHERE state = 'confirmed' ORDER BY coalesce(decided_at, uploaded_at) DESC, id DESC
    LOOP
      SELECT id, file_name INTO newer FROM partner_registers
       WHERE state = 'confirmed' AND source_id = candidate.source_id
         AND (coalesce(decided_at, uploaded_at), id) > (coalesce(candidate.decided_at, candidate.uploaded_at), candidate.id)
         AND period_from < candidate.period_to AND period_to > candidate.period_from
       ORDER BY coalesce(decided_at, uploaded_at) DESC, id DESC LIMIT 1;
      CONTINUE WHEN NOT FOUND;
      UPDATE partner_registers SET state = 'replaced', replaced_by = newer.id, version = version + 1 WHERE id = candidate.id;
      INSERT INTO journal (name, actor_kind, actor, partner_id, change)
      VALUES ('register_replaced', 'console', 'migration 27', candidate.partner_id,
              jsonb_build_object('register_id', candidate.id, 'file', candidate.file_name, 'sha256', candidate.sha256,
                                 'replaced_by', newer.id, 'replaced_by_file', newer.file_name,
                                 'period_from', candidate.period_from, 'period_to', candidate.period_to));
    END LOOP;
  END $$;`
