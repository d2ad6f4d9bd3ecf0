import { throwIfStopped } from '#shared/stop_signals'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { PoolClient, QueryResultRow } from 'pg'

type Parameters = readonly unknown[]

export interface Statement<Row> {
  (parameters: Parameters, client?: QueryClientContract): Promise<Row[]>
  /** The first row, for statements that give one or none. */
  first(parameters: Parameters, client?: QueryClientContract): Promise<Row | undefined>
  /** The row of a statement that always gives one. */
  one(parameters: Parameters, client?: QueryClientContract): Promise<Row>
  text: string
}

/**
 * One SQL statement that PostgreSQL parses and plans once per connection.
 *
 * Runs on the pool that Lucid uses, or inside `client` when that is a transaction.
 * `name` must be unique: PostgreSQL knows the statement by it.
 */
export function statement<Row extends QueryResultRow>(name: string, text: string): Statement<Row> {
  const run = async (parameters: Parameters, client?: QueryClientContract) => {
    if (client) throwIfStopped(client)
    const { client: pool } = (client ?? db.connection()).getWriteClient()
    const connection: PoolClient = await pool.acquireConnection()
    try {
      const values = parameters as unknown[]
      const { rows } = await connection.query<Row>({ name, text, values })
      return rows
    } finally {
      await pool.releaseConnection(connection)
    }
  }
  const first = (parameters: Parameters, client?: QueryClientContract) =>
    run(parameters, client).then((rows) => rows.at(0))
  const one = first as Statement<Row>['one']
  return Object.assign(run, { first, one, text })
}
