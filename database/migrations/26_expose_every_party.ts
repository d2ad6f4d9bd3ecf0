import { BaseSchema } from '@adonisjs/lucid/schema'

const PARTIES = ['buyer', 'platform', 'partner']
const ENDED = `('resolved', 'dismissed')`
const MONEY = '(buyer_tenge + platform_tenge + partner_tenge)'

/** Adds a case's exposure for every party. Of two parties with money at risk, the old columns show the first alone. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_cases
        ADD COLUMN buyer_tenge tenge NOT NULL DEFAULT 0,
        ADD COLUMN platform_tenge tenge NOT NULL DEFAULT 0,
        ADD COLUMN partner_tenge tenge NOT NULL DEFAULT 0,
        -- What was at risk when the case ended: only more than that opens it again.
        ADD COLUMN settled_buyer_tenge tenge,
        ADD COLUMN settled_platform_tenge tenge,
        ADD COLUMN settled_partner_tenge tenge;

      UPDATE settlement_cases SET
        ${PARTIES.map((party) => `${party}_tenge = ${ifParty('exposure', party)}`).join(', ')},
        ${PARTIES.map(
          (party) =>
            `settled_${party}_tenge = CASE WHEN state IN ${ENDED} THEN ${ifParty('settled', party)} END`
        ).join(', ')};

      -- The old columns stay for processes of the former version, which may still run.
      ALTER TABLE settlement_cases
        ALTER COLUMN exposure_tenge SET DEFAULT 0,
        ALTER COLUMN exposure_party SET DEFAULT 'NONE',
        DROP CONSTRAINT ${OLD_SETTLED_CHECK},
        ADD CONSTRAINT settlement_cases_settled_check CHECK (
          num_nonnulls(settled_buyer_tenge, settled_platform_tenge, settled_partner_tenge)
            = CASE WHEN state IN ${ENDED} THEN 3 ELSE 0 END);

      -- A process of the former version writes the old columns alone.
      CREATE FUNCTION expose_one_party() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${PARTIES.map((party) => `NEW.${party}_tenge := ${ifParty('NEW.exposure', party)};`).join('\n        ')}
        RETURN NEW;
      END $$;
      CREATE TRIGGER settlement_cases_inserted_by_former_version BEFORE INSERT ON settlement_cases FOR EACH ROW
        WHEN (NEW.exposure_tenge > 0) EXECUTE FUNCTION expose_one_party();
      CREATE TRIGGER settlement_cases_updated_by_former_version BEFORE UPDATE OF exposure_tenge, exposure_party ON settlement_cases
        FOR EACH ROW WHEN (OLD.exposure_tenge <> NEW.exposure_tenge OR OLD.exposure_party <> NEW.exposure_party)
        EXECUTE FUNCTION expose_one_party();

      -- Whatever ends a case or opens it again, what was at risk at its end is recorded or forgotten with it.
      CREATE FUNCTION remember_settled_exposure() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${PARTIES.map(
          (party) =>
            `NEW.settled_${party}_tenge := CASE WHEN NEW.state IN ${ENDED} THEN NEW.${party}_tenge END;`
        ).join('\n        ')}
        RETURN NEW;
      END $$;
      CREATE TRIGGER settlement_cases_remember_settled_exposure BEFORE UPDATE OF state ON settlement_cases FOR EACH ROW
        WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION remember_settled_exposure();

      CREATE INDEX settlement_cases_money ON settlement_cases (${MONEY}, id);
      CREATE INDEX settlement_cases_queue_money ON settlement_cases (${MONEY}, id)
        WHERE gone_at IS NULL AND state IN ('open', 'in_work', 'with_partner');
    `)
  }

  async down() {
    const first = (prefix: string) =>
      `CASE ${PARTIES.map((party) => `WHEN ${prefix}${party}_tenge > 0 THEN '${party.toUpperCase()}'`).join(' ')} ELSE 'NONE' END`
    const tenge = (prefix: string) =>
      `coalesce(${PARTIES.map((party) => `nullif(${prefix}${party}_tenge, 0)`).join(', ')}, 0)`
    this.schema.raw(`
      DROP INDEX settlement_cases_money, settlement_cases_queue_money;
      DROP TRIGGER settlement_cases_remember_settled_exposure ON settlement_cases;
      DROP TRIGGER settlement_cases_inserted_by_former_version ON settlement_cases;
      DROP TRIGGER settlement_cases_updated_by_former_version ON settlement_cases;
      DROP FUNCTION remember_settled_exposure, expose_one_party;
      UPDATE settlement_cases SET
        exposure_tenge = ${tenge('')}, exposure_party = ${first('')},
        settled_tenge = CASE WHEN state IN ${ENDED} THEN ${tenge('settled_')} END,
        settled_party = CASE WHEN state IN ${ENDED} THEN ${first('settled_')} END,
        settled_payment_ids = CASE WHEN state IN ${ENDED} THEN coalesce(settled_payment_ids, payment_ids) END;
      ALTER TABLE settlement_cases
        ALTER COLUMN exposure_tenge DROP DEFAULT,
        ALTER COLUMN exposure_party DROP DEFAULT,
        DROP CONSTRAINT settlement_cases_settled_check,
        ADD CONSTRAINT ${OLD_SETTLED_CHECK} CHECK (
          num_nonnulls(settled_tenge, settled_party, settled_payment_ids) = CASE WHEN state IN ${ENDED} THEN 3 ELSE 0 END),
        ${PARTIES.map((party) => `DROP COLUMN ${party}_tenge, DROP COLUMN settled_${party}_tenge`).join(', ')};
    `)
  }
}

const OLD_SETTLED_CHECK = 'settlement_cases_check2'

/** The old amount where the old column names this party, else 0. */
const ifParty = (column: string, party: string) =>
  `CASE WHEN ${column}_party = '${party.toUpperCase()}' THEN ${column}_tenge ELSE 0 END`
