import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

/** The part of a connection of `pg` that its types don't have. */
export interface PgConnection extends EventEmitter {
  readyForQuery: boolean
  connection: { stream: Socket }
}

/** The function of PostgreSQL that waits until a standby has a commit. Its texts are translated, its name is not. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'

/**
 * For a pool: closes a connection whose next answer must not be waited for, or not be believed. Its statement then fails, and
 * the pool makes a new connection.
 *
 * - PostgreSQL says nothing for so long although a statement waits. `statement_timeout` is its own, and ends nothing while it
 *   is frozen or its machine is cut off.
 * - A commit is about to be answered without its synchronous standby: a time-out has ended the wait, and PostgreSQL only warns.
 *   If another machine is the primary soon, that commit is lost.
 */
export const closeWhenUnsafe =
  (silenceMs: number | null) =>
  (client: PgConnection, done: (error: null, client: PgConnection) => void) => {
    const { stream } = client.connection
    if (silenceMs !== null) {
      stream.setTimeout(silenceMs)
      stream.on('timeout', () => {
        if (!client.readyForQuery) stream.destroy()
      })
    }
    client.on('notice', ({ routine }: { routine?: string }) => {
      if (routine === WAIT_FOR_STANDBY) stream.destroy()
    })
    done(null, client)
  }

/**
 * Lets PostgreSQL say nothing for longer, because a statement takes that long. Returns the way back; where there is no limit, or a
 * longer one already, nothing changes.
 */
export function allowSilence(
  { connection: { stream } }: PgConnection,
  silenceMs: number
): () => void {
  const { timeout } = stream
  if (!timeout || timeout >= silenceMs) return () => {}
  stream.setTimeout(silenceMs)
  return () => stream.setTimeout(timeout)
}
