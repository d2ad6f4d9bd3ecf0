import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

const signals = new WeakMap<QueryClientContract, AbortSignal>()

/** From now on nothing more is asked in a transaction once the signal is aborted. */
export const stopOn = (signal: AbortSignal, trx: TransactionClientContract) =>
  void signals.set(trx, signal)

/** Throws the signal's reason in a transaction that is to stop. */
export const throwIfStopped = (client: QueryClientContract) => signals.get(client)?.throwIfAborted()
