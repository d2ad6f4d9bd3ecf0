import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * A case whose orders turned out to be another case's is gone, and what people wrote on it is shown there. Of a case's money each
 * defect has its share, so that the shares add up to it; before, several defects had the same money.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      ALTER TABLE settlement_cases ADD COLUMN merged_into integer REFERENCES settlement_cases,
        ADD CONSTRAINT settlement_cases_merged CHECK (merged_into IS NULL OR merged_into <> id AND gone_at IS NOT NULL);
      CREATE INDEX settlement_cases_merged_into ON settlement_cases (merged_into) WHERE merged_into IS NOT NULL;
    `)
    this.schema.raw(SHARE_OUT)
  }

  async down() {
    this.schema.raw('ALTER TABLE settlement_cases DROP COLUMN merged_into')
  }
}

/** The gravest defect takes what it has, then the next; what is left is the first one's. */
const SHARE_OUT = `
  UPDATE settlement_defects d SET exposure_tenge = shared.tenge,
         exposure_party = CASE WHEN shared.tenge > 0 THEN d.exposure_party ELSE 'NONE' END
    FROM (SELECT id, least(tenge, greatest(total - before, 0)) + CASE WHEN place = 1 THEN greatest(total - claimed, 0) ELSE 0 END AS tenge
            FROM (SELECT d.id, d.exposure_tenge AS tenge, row_number() OVER gravest AS place,
                         coalesce(sum(d.exposure_tenge) OVER (gravest ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS before,
                         sum(d.exposure_tenge) OVER (PARTITION BY d.case_id, d.exposure_party)::bigint AS claimed,
                         CASE d.exposure_party WHEN 'BUYER' THEN c.buyer_tenge WHEN 'PLATFORM' THEN c.platform_tenge
                                               ELSE c.partner_tenge END AS total
                    FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
                   WHERE d.exposure_party <> 'NONE' AND d.gone_at IS NULL
                  WINDOW gravest AS (PARTITION BY d.case_id, d.exposure_party
                                     ORDER BY array_position(ARRAY['BLOCKER', 'HIGH', 'MEDIUM', 'LOW', 'INFO'], d.severity::text), d.id)) ranked) shared
   WHERE shared.id = d.id AND shared.tenge <> d.exposure_tenge`
