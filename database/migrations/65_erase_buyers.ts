import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Buyers' personal data are replaced by pseudonyms (docs/privacy.md). The row keeps its shape, and the journal lets exactly the
 * words about an erased buyer go.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.raw(`
      -- Sales wait behind this while a long query reads orders: rather a failed migration than that.
      SET LOCAL lock_timeout = '3s';

      -- The same fields, so that a partner reads an erased order in the same shape: {"email": "erased-tix-2026-000001@erased.invalid"}
      CREATE FUNCTION buyer_pseudonym(customer jsonb, id text) RETURNS jsonb
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
        (SELECT coalesce(jsonb_object_agg(field, CASE field WHEN 'email'
                  THEN 'erased-' || lower(id) || '@erased.invalid' ELSE 'erased' END), '{}')
           FROM jsonb_object_keys(customer) AS field);

      ALTER TABLE orders ADD COLUMN buyer_erased_at timestamptz;
      ALTER TABLE orders ADD CONSTRAINT orders_erased_buyer
        CHECK (buyer_erased_at IS NULL OR customer = buyer_pseudonym(customer, id)) NOT VALID;
      ALTER TABLE bookings ADD COLUMN buyer_erased_at timestamptz;
      ALTER TABLE bookings ADD CONSTRAINT bookings_erased_buyer
        CHECK (buyer_erased_at IS NULL OR customer = buyer_pseudonym(customer, id)) NOT VALID;
      -- When the e-mails of its rows and its preview were erased.
      ALTER TABLE partner_registers ADD COLUMN buyers_erased_at timestamptz;

      -- Events whose buyers are all erased: the job need not look at their orders again.
      CREATE TABLE erased_events (
        event_id text PRIMARY KEY REFERENCES events,
        erased_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );

      -- Regular expressions that find a buyer in a text: the e-mail, the phone in any spelling, and the name as it was sent.
      -- Shorter ones would also find what is nobody's. (A question mark that is not escaped would be a parameter.)
      CREATE FUNCTION buyer_patterns(customer jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        array_remove(ARRAY[
          CASE WHEN length(customer ->> 'email') >= 6
               THEN regexp_replace(customer ->> 'email', '([^[:alnum:]@_])', '\\\\\\1', 'g') END,
          CASE WHEN length(buyer_phone(customer)) >= 10
               THEN '(\\?<![0-9])([+]\\?[78][ ()-]*)\\?'
                    || regexp_replace(right(buyer_phone(customer), 10), '([0-9])(\\?=[0-9])', '\\1[ ()-]*', 'g') || '(\\?![0-9])' END,
          CASE WHEN length(btrim(customer ->> 'name')) >= 5
               THEN '(\\?<![[:alnum:]А-яЁёӘәҒғҚқҢңӨөҰұҮүҺһІі])'
                    || regexp_replace(btrim(customer ->> 'name'), '([^[:alnum:]])', '\\\\\\1', 'g')
                    || '(\\?![[:alnum:]А-яЁёӘәҒғҚқҢңӨөҰұҮүҺһІі])' END
        ], NULL);

      -- The text with [erased] in place of what names one of the buyers.
      CREATE FUNCTION without_buyers(words text, customers jsonb[]) RETURNS text
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        customer jsonb;
        pattern text;
      BEGIN
        FOREACH customer IN ARRAY customers LOOP
          FOREACH pattern IN ARRAY buyer_patterns(customer) LOOP
            words := regexp_replace(words, pattern, '[erased]', 'gi');
          END LOOP;
        END LOOP;
        RETURN words;
      END $$;

      -- Details of journal entries that a person has typed; the rest is made by programs and names no buyer.
      CREATE FUNCTION typed_details() RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        ARRAY['reason', 'note', 'comment'];

      CREATE FUNCTION details_without_buyers(change jsonb, customers jsonb[]) RETURNS jsonb
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
        change || (SELECT coalesce(jsonb_object_agg(detail, without_buyers(change ->> detail, customers)), '{}')
                     FROM unnest(typed_details()) AS detail WHERE jsonb_typeof(change -> detail) = 'string');

      -- Whether a text is another one in which pieces were replaced by [erased].
      CREATE FUNCTION is_erasure(was text, now text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        was LIKE replace(regexp_replace(now, '([%_\\\\])', '\\\\\\1', 'g'), '[erased]', '%');

      -- Whether the buyer of what an entry is about was erased. The text of a search is of nothing else.
      CREATE FUNCTION is_about_erased_buyer(name text, order_id text, booking_id text, change jsonb) RETURNS boolean
        LANGUAGE sql STABLE PARALLEL SAFE RETURN
        name = 'list_exported'
        OR EXISTS (SELECT FROM orders o WHERE o.id = $2 AND o.buyer_erased_at IS NOT NULL)
        OR EXISTS (SELECT FROM bookings b WHERE b.id = $3 AND b.buyer_erased_at IS NOT NULL)
        OR EXISTS (SELECT FROM settlement_cases c JOIN orders o ON o.id = ANY (c.order_ids)
                    WHERE c.id = (change ->> 'case_id')::integer AND o.buyer_erased_at IS NOT NULL);

      -- Entries never change, except that words about an erased buyer go.
      CREATE FUNCTION refuse_journal_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        path text[];
        put_back jsonb;
      BEGIN
        IF TG_OP = 'UPDATE' AND is_about_erased_buyer(OLD.name, OLD.order_id, OLD.booking_id, OLD.change) THEN
          put_back := NEW.change;
          FOR path IN SELECT ARRAY[detail] FROM unnest(typed_details()) AS detail UNION ALL SELECT ARRAY['filters', 'q'] LOOP
            IF jsonb_typeof(OLD.change #> path) = 'string' AND jsonb_typeof(NEW.change #> path) = 'string'
               AND is_erasure(OLD.change #>> path, NEW.change #>> path) THEN
              put_back := jsonb_set(put_back, path, OLD.change #> path);
            END IF;
          END LOOP;
          IF put_back = OLD.change AND to_jsonb(NEW) - 'change' = to_jsonb(OLD) - 'change' THEN
            RETURN NEW;
          END IF;
        END IF;
        RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE OR REPLACE TRIGGER journal_is_append_only BEFORE UPDATE OR DELETE ON journal
        FOR EACH ROW EXECUTE FUNCTION refuse_journal_change();
    `)
  }

  async down() {
    this.schema.raw(`
      CREATE OR REPLACE TRIGGER journal_is_append_only BEFORE UPDATE OR DELETE ON journal
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      DROP FUNCTION refuse_journal_change, is_about_erased_buyer, is_erasure, details_without_buyers, typed_details,
        without_buyers, buyer_patterns;
      DROP TABLE erased_events;
      ALTER TABLE partner_registers DROP COLUMN buyers_erased_at;
      ALTER TABLE bookings DROP COLUMN buyer_erased_at;
      ALTER TABLE orders DROP COLUMN buyer_erased_at;
      DROP FUNCTION buyer_pseudonym;
    `)
  }
}
