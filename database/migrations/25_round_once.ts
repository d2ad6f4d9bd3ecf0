import { BaseSchema } from '@adonisjs/lucid/schema'

const KINDS = `'sale', 'refund', 'event_cancel', 'platform_void', 'commission', 'commission_reversal', 'vat', 'vat_reversal',
  'adj_debit', 'adj_credit', 'penalty', 'payment'`
const KINDS_NOW = `${KINDS}, 'commission_rounding', 'vat_rounding'`
const kindsAre = (kinds: string) => `
  ALTER DOMAIN movement_kind DROP CONSTRAINT movement_kind_check;
  ALTER DOMAIN movement_kind ADD CONSTRAINT movement_kind_check CHECK (VALUE IN (${kinds})) NOT VALID;`

/** Percentages are rounded once per statement and rate (ADR 18): by a movement of the closing, not by each sale. */
export default class extends BaseSchema {
  async up() {
    // Validated later (45): every sale writes movements, and would wait while they are read.
    this.schema.raw(kindsAre(KINDS_NOW))
    this.schema.raw(`
      -- What is still sold of the sales of a statement (the origin), at each rate, after a statement that changed it.
      CREATE TABLE settlement_rounded_sales (
        statement_id integer NOT NULL REFERENCES settlement_statements,
        origin_id integer NOT NULL REFERENCES settlement_statements,
        commission_bp basis_points NOT NULL,
        vat_bp basis_points NOT NULL,
        rounding text NOT NULL,
        remaining_tenge bigint NOT NULL CHECK (remaining_tenge >= 0),
        PRIMARY KEY (origin_id, commission_bp, vat_bp, rounding, statement_id)
      );
      CREATE INDEX settlement_rounded_sales_statement ON settlement_rounded_sales (statement_id);
      CREATE TRIGGER settlement_rounded_sales_stay BEFORE UPDATE OR DELETE ON settlement_rounded_sales
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER settlement_rounded_sales_are_never_emptied BEFORE TRUNCATE ON settlement_rounded_sales
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

      -- By how much the lines of a statement, or those that the next one would take, differ from the shares rounded once.
      -- origin_id is NULL for sales of these lines. What was settled before this rule has no row in settlement_rounded_sales
      -- and keeps its rounding by ticket.
      CREATE FUNCTION due_roundings(partner integer, statement integer, until timestamptz)
      RETURNS TABLE (origin_id integer, terms_id integer, commission_bp integer, vat_bp integer, rounding text,
                     remaining bigint, commission bigint, vat bigint) LANGUAGE sql STABLE AS $$
        WITH lines AS (
          SELECT m.kind, m.amount_tenge, m.order_id, m.terms_id FROM ledger_movements m
           WHERE statement IS NULL AND m.partner_id = partner AND m.statement_id IS NULL AND m.effective_at < until
           UNION ALL
          SELECT m.kind, m.amount_tenge, m.order_id, m.terms_id FROM ledger_movements m WHERE m.statement_id = statement),
        charged AS (
          SELECT lines.kind, lines.amount_tenge, lines.terms_id, nullif(origin.statement_id, statement) AS origin_id
            FROM lines LEFT JOIN LATERAL (
              SELECT sale.statement_id FROM ledger_movements sale WHERE sale.source = lines.order_id AND sale.kind = 'sale' OFFSET 0) origin
              ON lines.kind NOT IN ('sale', 'commission', 'vat')
           WHERE lines.kind IN ('sale', 'refund', 'event_cancel', 'platform_void', 'commission', 'commission_reversal', 'vat', 'vat_reversal')),
        sums AS (
          SELECT charged.origin_id, t.commission_bp, t.vat_bp, t.rounding, max(t.id) AS terms_id,
                 coalesce(sum(amount_tenge) FILTER (WHERE kind IN ('sale', 'refund', 'event_cancel', 'platform_void')), 0)::bigint AS base,
                 coalesce(sum(amount_tenge) FILTER (WHERE kind IN ('commission', 'commission_reversal')), 0)::bigint AS commission,
                 coalesce(sum(amount_tenge) FILTER (WHERE kind IN ('vat', 'vat_reversal')), 0)::bigint AS vat
            FROM charged JOIN settlement_terms t ON t.id = charged.terms_id
           WHERE t.commission_bp > 0 GROUP BY 1, 2, 3, 4),
        compared AS (
          SELECT sums.*, coalesce(kept.remaining_tenge, 0) AS before, coalesce(kept.remaining_tenge, 0) + sums.base AS after
            FROM sums LEFT JOIN LATERAL (
              SELECT r.remaining_tenge FROM settlement_rounded_sales r JOIN settlement_statements s ON s.id = r.statement_id
               WHERE r.origin_id = sums.origin_id AND s.status <> 'superseded' AND (statement IS NULL OR s.id < statement)
                 AND (r.commission_bp, r.vat_bp, r.rounding) = (sums.commission_bp, sums.vat_bp, sums.rounding)
               ORDER BY s.id DESC LIMIT 1) kept ON true
           WHERE sums.origin_id IS NULL OR kept.remaining_tenge IS NOT NULL),
        shares AS (
          SELECT *, share_of(before, commission_bp, rounding) AS share_before, share_of(after, commission_bp, rounding) AS share_after
            FROM compared)
        SELECT origin_id, terms_id, commission_bp, vat_bp, rounding, after, share_before - share_after - commission,
               share_of(share_before, vat_bp, rounding) - share_of(share_after, vat_bp, rounding) - vat
          FROM shares
      $$;

      -- The lines of rounding that the next statement would have, as movements that nobody has written.
      CREATE FUNCTION draft_roundings(partner integer, until timestamptz) RETURNS SETOF ledger_movements LANGUAGE sql STABLE AS $$
        SELECT (jsonb_populate_record(NULL::ledger_movements, jsonb_build_object(
                 'id', 9200000000000000000 + row_number() OVER (ORDER BY due.origin_id NULLS FIRST, due.terms_id, m.kind),
                 'partner_id', partner, 'kind', m.kind, 'amount_tenge', m.amount, 'tickets', 0,
                 'source', 'rounding:draft', 'terms_id', due.terms_id, 'rate_bp', m.rate,
                 'effective_at', until - interval '1 microsecond', 'recorded_at', now()))).*
          FROM due_roundings(partner, NULL, until) due,
               LATERAL (VALUES ('commission_rounding', due.commission, due.commission_bp), ('vat_rounding', due.vat, due.vat_bp)) m (kind, amount, rate)
         WHERE m.amount <> 0
      $$;
    `)
  }

  async down() {
    this.schema.raw(`
      DROP FUNCTION draft_roundings, due_roundings;
      DROP TABLE settlement_rounded_sales;
      -- Lines of rounding stay: a movement is never deleted.
      ${kindsAre(KINDS)}
    `)
  }
}
