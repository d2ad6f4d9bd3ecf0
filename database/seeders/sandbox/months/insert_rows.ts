import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Inserts rows whose keys are columns of the table; columns that the first row lacks get their defaults. */
export async function insertRows(table: string, rows: object[], trx: TransactionClientContract) {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]).join(', ')
  await trx.rawQuery(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, ?::jsonb)`,
    [JSON.stringify(rows)]
  )
}
