// Without imports: the generator of `guards.ts` runs without the application.

/** A CHECK, a key, a unique index, a default, a trigger or a function that keeps rows right, or what could get round them. */
export interface Guard {
  /** `trigger orders.orders_move_sale`, `function refuse_change()`. */
  name: string
  /** Of its definition. */
  hash: string
}

/**
 * Every guard of a database. Also rewrite rules and row security, which no migration creates: a rule can drop an INSERT, a policy
 * can hide rows from these checks. Left out is what differs between databases of the same version: partitions, whose constraints
 * come from their table, functions of extensions, and NOT NULL, which is a constraint from PostgreSQL 18 on.
 */
export const SELECT_GUARDS = `
  WITH guards (name, definition) AS (
    SELECT format('constraint %s.%s', coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text), conname),
           -- \`create_months\` adds this one again, and validates it a turn later.
           CASE conname WHEN 'webhook_deliveries_journal_fkey' THEN replace(pg_get_constraintdef(k.oid), ' NOT VALID', '')
                        ELSE pg_get_constraintdef(k.oid) END
      FROM pg_constraint k LEFT JOIN pg_class c ON c.oid = k.conrelid
     WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'p', 'u', 'x') AND conparentid = 0
       AND c.relispartition IS NOT TRUE
     UNION ALL
    SELECT format('index %s.%s', i.indrelid::regclass, i.indexrelid::regclass),
           pg_get_indexdef(i.indexrelid) || CASE WHEN NOT i.indisvalid THEN ' INVALID' ELSE '' END
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
     UNION ALL
    -- A partition has triggers of its table, and one of its own, which its table has too.
    SELECT DISTINCT format('trigger %s.%s', guarded, t.tgname), replace(pg_get_triggerdef(t.oid), t.tgrelid::regclass::text, guarded)
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid LEFT JOIN pg_inherits i ON i.inhrelid = c.oid,
           LATERAL (SELECT coalesce(i.inhparent, c.oid)::regclass::text AS guarded) of_table
     WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND c.relnamespace = 'public'::regnamespace
     UNION ALL
    SELECT format('default %s.%s', adrelid::regclass, attname), pg_get_expr(adbin, adrelid)
      FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum JOIN pg_class c ON c.oid = adrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
     UNION ALL
    SELECT format('rule %s.%s', ev_class::regclass, rulename), pg_get_ruledef(r.oid)
      FROM pg_rewrite r JOIN pg_class c ON c.oid = ev_class
     WHERE c.relnamespace = 'public'::regnamespace AND rulename <> '_RETURN'
     UNION ALL
    SELECT format('row security of %s', oid::regclass), format('%s %s', relrowsecurity, relforcerowsecurity)
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND (relrowsecurity OR relforcerowsecurity)
     UNION ALL
    SELECT format('policy %s.%s', polrelid::regclass, polname), format('%s %s', polcmd, pg_get_expr(polqual, polrelid))
      FROM pg_policy JOIN pg_class c ON c.oid = polrelid WHERE c.relnamespace = 'public'::regnamespace
     UNION ALL
    SELECT format('function %s', p.oid::regprocedure), pg_get_functiondef(p.oid)
      FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'))
  SELECT name, left(encode(sha256(convert_to(
           -- PostgreSQL writes \`a AND b AND c\` with other parentheses once a dump was restored; functions as they were written.
           CASE WHEN name LIKE 'function %' THEN definition ELSE translate(definition, '()', '') END, 'UTF8')), 'hex'), 12) AS hash
    FROM guards ORDER BY name COLLATE "C"`

/** The number of the newest migration that a database has. */
export const SCHEMA_VERSION = `(SELECT max(substring(name FROM '/([0-9]+)_')::integer) FROM adonis_schema)`
