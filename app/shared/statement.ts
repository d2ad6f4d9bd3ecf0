import { toPositional, valuesFor } from '#shared/named_parameters'
import { throwIfStopped } from '#shared/stop_signals'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { hash } from 'node:crypto'
import type { PoolClient, QueryConfig, QueryResultRow } from 'pg'

export interface Statement<Row, Params extends object> {
  (params: Params, client?: QueryClientContract): Promise<Row[]>
  /** The first row, for statements that return one or none. */
  first(params: Params, client?: QueryClientContract): Promise<Row | undefined>
  /** The row of a statement that always returns one. */
  one(params: Params, client?: QueryClientContract): Promise<Row>
  /** In the order of their positions, for the benchmark, which repeats statements without the application. */
  parameterNames: readonly string[]
}

const known: { name: string; text: string }[] = []

/** Those of all modules that have been loaded, as PostgreSQL gets them. */
export const listStatements = (): readonly { name: string; text: string }[] => known

/** For statements without parameters, called with `{}`. */
export type NoParams = Record<string, never>

/**
 * One SQL statement that PostgreSQL parses and plans once per connection.
 *
 *     const findEvent = statement<{ title: string }, { id: string }>('event_title', 'SELECT title FROM events WHERE id = :id')
 *     const event = await findEvent.first({ id }, trx)
 *
 * Runs on the pool that Lucid uses, or inside `client` when that is a transaction.
 * `name` must be unique: PostgreSQL knows the statement by it.
 *
 * A parameter may be a function: it is called once the connection is held, just before the statement is sent. What depends on
 * the time must not be older than that, because waiting for a connection may take seconds.
 */
export function statement<Row extends object = QueryResultRow, Params extends object = NoParams>(
  name: string,
  sql: string
): Statement<Row, Params> {
  const { text, names } = toPositional(sql)
  known.push({ name, text })
  const run = async (params: Params, client?: QueryClientContract) =>
    send<Row>({ name, text }, () => valuesFor(names, params), client)
  const first = (params: Params, client?: QueryClientContract) =>
    run(params, client).then((rows) => rows.at(0))
  const one = first as Statement<Row, Params>['one']
  return Object.assign(run, { first, one, parameterNames: names })
}

/**
 * Rows of SQL that is composed for each call, as from filters. PostgreSQL keeps the plan of each text, because planning for every
 * month of a table takes longer than reading: values belong into parameters, so that there are few texts.
 */
export async function readRows<Row extends object>(sql: string, params: object): Promise<Row[]> {
  const { text, names } = toPositional(sql)
  const name = `composed_${hash('md5', text, 'hex')}`
  return send<Row>({ name, text }, () => valuesFor(names, params))
}

/** `valuesOf` is called once the connection is held. */
async function send<Row extends object>(
  query: QueryConfig,
  valuesOf: () => unknown[],
  client?: QueryClientContract
) {
  if (client) throwIfStopped(client)
  const { client: pool } = (client ?? db.connection()).getWriteClient()
  const connection: PoolClient = await pool.acquireConnection()
  try {
    const { rows } = await connection.query<Row & QueryResultRow>({ ...query, values: valuesOf() })
    return rows as Row[]
  } finally {
    await pool.releaseConnection(connection)
  }
}
