import { statement } from '#shared/statement'
import { stopOn } from '#shared/stop_signals'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

const CANCEL_AGAIN_MS = 200
const CANCELLED = '57014'

const cancelQuery = statement<object, { pid: number }>(
  'transaction_cancel_query',
  'SELECT pg_cancel_backend(:pid)'
)

/**
 * Runs a use case in one transaction: everything or nothing.
 *
 * With a signal it is broken off when that is aborted, also during a query or while it waits for a lock: then nothing of it
 * is kept, and it rejects with the signal's reason.
 *
 * `connection` is another database than the primary: a standby, for what only reads.
 *
 * Lucid's own `db.transaction(callback)` must not be used: its commit resolves although COMMIT failed
 * (a lost connection, a deferred constraint), because knex reports that only by `executionPromise`.
 */
export async function transaction<Result>(
  work: (trx: TransactionClientContract) => Promise<Result>,
  signal?: AbortSignal,
  connection: QueryClientContract = db.connection()
): Promise<Result> {
  signal?.throwIfAborted()
  const trx = await connection.transaction()
  const { executionPromise: ended } = trx.knexClient
  ended.catch(() => {})
  const result = await (signal ? stoppable(trx, signal, connection, work) : work(trx)).catch(
    async (error: unknown) => {
      await trx.rollback().catch(() => {})
      throw error
    }
  )
  await trx.commit()
  await ended
  return result
}

async function stoppable<Result>(
  trx: TransactionClientContract,
  signal: AbortSignal,
  connection: QueryClientContract,
  work: (trx: TransactionClientContract) => Promise<Result>
): Promise<Result> {
  stopOn(signal, trx)
  const cancelling = cancelOnAbort(await backendOf(trx), signal, connection)
  try {
    return await work(trx)
  } catch (error) {
    throw signal.aborted && (error as { code?: string }).code === CANCELLED ? signal.reason : error
  } finally {
    await cancelling.end()
  }
}

/** Its backend's process id, known since it connected: asking now would be too late to choose an isolation level. */
async function backendOf(trx: TransactionClientContract): Promise<number> {
  const { client } = trx.getWriteClient()
  const { processID } = (await client.acquireConnection()) as { processID: number }
  return processID
}

/** Again and again until its end: between two statements there is nothing to cancel. */
function cancelOnAbort(pid: number, signal: AbortSignal, connection: QueryClientContract) {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let sent = Promise.resolve()
  const cancel = async () => {
    await cancelQuery({ pid }, connection).catch(() => {})
    if (!isOver) timer = setTimeout(begin, CANCEL_AGAIN_MS)
  }
  const begin = () => {
    sent = cancel()
  }
  signal.addEventListener('abort', begin)
  if (signal.aborted) begin()
  return {
    /** Afterwards the connection is another's: nothing may still be on its way to it. */
    async end() {
      isOver = true
      signal.removeEventListener('abort', begin)
      clearTimeout(timer)
      await sent
    },
  }
}
