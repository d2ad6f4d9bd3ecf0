import { APPLICATION_PRIVILEGES, APPLICATION_SEQUENCES, privilegesOf } from '#database/privileges'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** A right on a table, one of its columns, or a sequence. */
export interface Right {
  on: string
  privilege: string
  column: string | null
}

const tableRights = Object.entries(APPLICATION_PRIVILEGES).flatMap(([on, wanted]) => {
  const { privileges, columns } = privilegesOf(wanted)
  return [
    ...privileges.map((privilege): Right => ({ on, privilege, column: null })),
    ...columns.map((column): Right => ({ on, privilege: 'UPDATE', column })),
  ]
})

/** `UPDATE (status) on tickets`, `USAGE on order_numbers`. */
export const describeRight = ({ on, privilege, column }: Right) =>
  `${privilege}${column === null ? '' : ` (${column})`} on ${on}`

/** All that the application needs. */
export const RIGHTS: readonly Right[] = [
  ...tableRights,
  ...APPLICATION_SEQUENCES.map((on): Right => ({ on, privilege: 'USAGE', column: null })),
]

/** What is not there yet is for the migrations, which `/health/ready` asks for. */
const selectMissing = statement<
  { role: string; ownsTables: boolean; missing: string[] },
  { on: string[]; privilege: string[]; column: (string | null)[] }
>(
  'database_role_missing_rights',
  `SELECT current_user::text AS role,
          EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('journal') AND pg_has_role(relowner, 'USAGE')) AS "ownsTables", ARRAY(
     SELECT privilege || coalesce(' (' || "column" || ')', '') || ' on ' || name
       FROM unnest(:on::text[], :privilege::text[], :column::text[]) WITH ORDINALITY AS wanted (name, privilege, "column", place)
       JOIN pg_class c ON c.relname = name AND c.relnamespace = 'public'::regnamespace
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = "column" AND NOT a.attisdropped
      WHERE CASE WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(c.oid, privilege)
                 WHEN "column" IS NULL THEN NOT has_table_privilege(c.oid, privilege)
                 ELSE NOT coalesce(has_column_privilege(c.oid, a.attnum, privilege), true) END
      ORDER BY place) AS missing`
)

/** The role of DATABASE_URL or of another client, and which rights it lacks, as `UPDATE (status) on tickets`. An owner lacks none. */
export const readRole = (client?: QueryClientContract) =>
  selectMissing.one(
    {
      on: RIGHTS.map(({ on }) => on),
      privilege: RIGHTS.map(({ privilege }) => privilege),
      column: RIGHTS.map(({ column }) => column),
    },
    client
  )
