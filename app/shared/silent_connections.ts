import type { Socket } from 'node:net'

/** The part of a connection of `pg` that its types don't have. */
interface PgConnection {
  readyForQuery: boolean
  connection: { stream: Socket }
}

/**
 * For a pool: closes a connection on which PostgreSQL says nothing for so long although a statement waits. `statement_timeout`
 * is PostgreSQL's own and ends nothing while PostgreSQL is frozen or its machine is cut off. A closed connection fails its
 * statement, and the pool makes a new one.
 */
export const closeWhenSilent =
  (silenceMs: number) =>
  (client: PgConnection, done: (error: null, client: PgConnection) => void) => {
    const { stream } = client.connection
    stream.setTimeout(silenceMs)
    stream.on('timeout', () => {
      if (!client.readyForQuery) stream.destroy()
    })
    done(null, client)
  }
