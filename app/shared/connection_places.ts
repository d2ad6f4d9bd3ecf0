import platform from '#config/platform'
import { Capacity } from '#shared/capacity'
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * A web process keeps a fifth of its PostgreSQL connections for confirms and cancels: they end a sale whose buyer may have
 * been charged, and a refusal by us can cost the buyer the ticket. All other work shares the rest, one place a connection.
 *
 *     20 connections   20 pages wait for a lock      16 have a connection, 4 wait for a place
 *                      a confirm                     has the 17th at once
 */
const reserved = Math.max(1, Math.round(platform.databaseConnections / 5))
const places = new Capacity(
  Math.max(1, platform.databaseConnections - reserved),
  5_000,
  () => new Error('Timeout acquiring a connection that is not reserved')
)

/** Set in work that needs no further place: it has one, or may use the reserve. */
const admitted = new AsyncLocalStorage<true>()

export const isAdmitted = () => admitted.getStore() === true

/** Runs work that may use every connection. */
export const withReserve = <Result>(work: () => Result): Result => admitted.run(true, work)

/** Runs work that uses one connection at a time, once there is a place for it. */
export const withPlace = <Result>(work: () => Promise<Result>): Promise<Result> =>
  places.run(() => admitted.run(true, work))

/** How many pieces of work wait for a place. */
export const waitingForPlace = () => places.waiting

interface Connections {
  acquireConnection(): Promise<object>
  releaseConnection(connection: object): Promise<void>
}

/** From now on work outside `withPlace` and `withReserve` takes a place for each connection of the pool. */
export function limitConnections(pool: Connections) {
  const acquire = pool.acquireConnection.bind(pool)
  const release = pool.releaseConnection.bind(pool)
  const withOwnPlace = new WeakSet<object>()
  pool.acquireConnection = async () => {
    if (isAdmitted()) return acquire()
    await places.enter()
    try {
      const connection = await acquire()
      withOwnPlace.add(connection)
      return connection
    } catch (error) {
      places.leave()
      throw error
    }
  }
  pool.releaseConnection = async (connection) => {
    // Before the release: afterwards the connection may be another's already.
    const hadPlace = withOwnPlace.delete(connection)
    await release(connection)
    if (hadPlace) places.leave()
  }
}
