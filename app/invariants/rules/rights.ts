import { APPLICATION_FUNCTIONS } from '#database/privileges'
import type { SqlRule } from '#invariants/invariant'
import { IS_OUR_SCHEMA } from '#invariants/rules/schema_version'
import { RIGHTS } from '#shared/database_role'

/** Everything that the role may do besides reading: `('orders', 'UPDATE', 'stored_status')`, `('journal', 'INSERT', '')`. */
const WANTED = RIGHTS.filter(({ privilege }) => privilege !== 'SELECT')
  .map(({ on, privilege, column }) => `('${on}', '${privilege}', '${column ?? ''}')`)
  .join(', ')
const CALLED = APPLICATION_FUNCTIONS.map((each) => `'${each}'`).join(', ')

/** Also one that may become the owner, by SET ROLE. */
const OWNS_TABLES = `EXISTS (SELECT FROM pg_class WHERE oid = 'journal'::regclass AND pg_has_role(relowner, 'MEMBER'))`

const IS_OURS = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`

const OWNER: SqlRule = {
  all: `SELECT current_user::text AS role`,
  changed: null,
  counterexamples: `
    SELECT 'APPLICATION_OWNS_TABLES' AS code, 'table' AS kind, 'postgresql' AS id, role AS label FROM looked WHERE ${OWNS_TABLES}`,
}

/** Rights count whether they were granted to the role, to one that it belongs to, or to everybody. */
const BEYOND_THE_TABLE_OF_RIGHTS: SqlRule = {
  all: `SELECT c.oid, c.oid::regclass::text AS name, c.relkind = 'S' AS is_sequence
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND ${IS_OURS}`,
  changed: null,
  counterexamples: `
    WITH wanted (name, privilege, of_column) AS (VALUES ${WANTED}),
    held (name, privilege, of_column) AS (
      SELECT name, privilege, ''
        FROM looked, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
       WHERE NOT is_sequence AND has_table_privilege(oid, privilege)
       UNION ALL
      SELECT name, privilege, attname::text
        FROM looked JOIN pg_attribute ON attrelid = oid AND attacl IS NOT NULL, unnest(ARRAY['INSERT', 'UPDATE', 'REFERENCES']) privilege
       WHERE NOT has_table_privilege(oid, privilege) AND has_column_privilege(oid, attnum, privilege)
       UNION ALL
      SELECT name, privilege, '' FROM looked, unnest(ARRAY['USAGE', 'UPDATE']) privilege
       WHERE is_sequence AND has_sequence_privilege(oid, privilege)
       UNION ALL
      SELECT n.nspname::text, 'CREATE', '' FROM pg_namespace n WHERE ${IS_OURS} AND has_schema_privilege(n.oid, 'CREATE')
       UNION ALL
      SELECT p.oid::regprocedure::text, 'EXECUTE', '' FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE ${IS_OURS} AND p.prosecdef AND p.prorettype <> 'trigger'::regtype AND has_function_privilege(p.oid, 'EXECUTE')
         AND p.oid::regprocedure::text NOT IN (${CALLED})
       UNION ALL
      SELECT 'session_replication_role', 'SET', '' WHERE has_parameter_privilege('session_replication_role', 'SET'))
    SELECT 'APPLICATION_MAY_CHANGE' AS code, 'table' AS kind, name AS id,
           privilege || CASE of_column WHEN '' THEN '' ELSE ' (' || of_column || ')' END || ' ' || name AS label
      FROM held
     WHERE ${IS_OUR_SCHEMA} AND NOT ${OWNS_TABLES}
       AND (name, privilege, of_column) NOT IN (SELECT name, privilege, of_column FROM wanted)
     ORDER BY label`,
}

/** Whoever was granted the views of reports has these alone: tables have the buyers' names. */
const READERS_OF_REPORTS: SqlRule = {
  all: `SELECT DISTINCT r.oid, r.rolname FROM pg_namespace n, aclexplode(n.nspacl) granted JOIN pg_roles r ON r.oid = granted.grantee
         WHERE n.nspname = 'reports' AND r.oid <> n.nspowner AND r.rolname <> current_user`,
  changed: null,
  counterexamples: `
    SELECT 'REPORTS_MAY_DO_MORE' AS code, 'table' AS kind, c.oid::regclass::text AS id, privilege || ' ' || c.oid::regclass || ' (' || rolname || ')' AS label
      FROM looked, pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
           unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
     WHERE ${IS_OUR_SCHEMA} AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ${IS_OURS}
       AND NOT (n.nspname = 'reports' AND c.relkind = 'v' AND privilege = 'SELECT')
       AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
       AND (has_table_privilege(looked.oid, c.oid, privilege)
            OR privilege IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(looked.oid, c.oid, privilege))
     UNION ALL
    SELECT 'REPORTS_MAY_DO_MORE', 'table', 'postgresql', 'member of ' || owner.rolname || ' (' || looked.rolname || ')'
      FROM looked, pg_class c JOIN pg_roles owner ON owner.oid = c.relowner
     WHERE ${IS_OUR_SCHEMA} AND c.oid = 'journal'::regclass AND pg_has_role(looked.oid, owner.oid, 'MEMBER')`,
}

export const RIGHTS_OF_ROLES = [OWNER, BEYOND_THE_TABLE_OF_RIGHTS, READERS_OF_REPORTS]
