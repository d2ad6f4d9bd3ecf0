import { BaseSchema } from '@adonisjs/lucid/schema'

/** A penalty that was taken back can be asked for again: one penalty of a case is in force. */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      SET LOCAL lock_timeout = '3s';
      CREATE FUNCTION memo_is_reversed(memo settlement_memos) RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT coalesce(sum(back.amount_tenge), 0) >= memo.amount_tenge FROM settlement_memos back
         WHERE back.reverses_id = memo.id AND back.outcome = 'approved'
      $$;

      -- How many penalties of its case were taken back before: the index then allows one more.
      ALTER TABLE settlement_memos ADD COLUMN IF NOT EXISTS penalty_round smallint NOT NULL DEFAULT 0;
      CREATE FUNCTION count_penalty_round() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.penalty_round := (SELECT count(*) FROM settlement_memos memo
                               WHERE memo.origin_case_id = NEW.origin_case_id AND memo.kind = 'penalty' AND memo_is_reversed(memo));
        RETURN NEW;
      END $$;
      CREATE TRIGGER settlement_memos_count_penalty_round BEFORE INSERT ON settlement_memos
        FOR EACH ROW WHEN (NEW.kind = 'penalty' AND NEW.origin_case_id IS NOT NULL) EXECUTE FUNCTION count_penalty_round();
      DROP INDEX one_penalty_of_a_case;
      CREATE UNIQUE INDEX one_penalty_of_a_case ON settlement_memos (origin_case_id, penalty_round)
        WHERE kind = 'penalty' AND outcome IS DISTINCT FROM 'declined';
    `)
  }

  async down() {
    this.schema.raw(`
      -- The column and the index stay: the version before writes round 0, which allows one penalty of a case, as it expects.
      DROP TRIGGER settlement_memos_count_penalty_round ON settlement_memos;
      DROP FUNCTION count_penalty_round, memo_is_reversed;
    `)
  }
}
