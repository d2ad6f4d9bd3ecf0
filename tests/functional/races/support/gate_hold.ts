import { closeSaleGate } from '#catalog/sale_gate'
import { waitingForPlace } from '#shared/connection_places'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { sleep } from './crowd.js'
import { count } from './sql.js'

/**
 * Closes the sale gate of an event, lets the requests run up against it, changes the event
 * and opens the gate: what waited there began before the change and goes on after it.
 */
export async function changeBehindGate<Result>(
  eventId: string,
  requests: () => Promise<Result>,
  change: (trx: TransactionClientContract) => Promise<unknown>
): Promise<Result> {
  const trx = await db.transaction()
  await closeSaleGate(eventId, trx)
  const answers = requests()
  await untilWaiting(WAITING, 1)
  await change(trx)
  await trx.commit()
  return answers
}

const WAITING = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`

const WAITING_FOR_ANYTHING = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** A request gives a lock up after two seconds; a busy machine may take as long to bring it there. */
const WAITS_WITHIN_MS = 10_000

/** Until as many wait for a lock, of a row or of a gate. */
export const untilSomebodyWaits = (many = 1) => untilWaiting(WAITING_FOR_ANYTHING, many)

/** Until as many wait for a connection that is not kept for confirms and cancels. */
export async function untilWaitingForPlace(many: number) {
  const deadline = Date.now() + WAITS_WITHIN_MS
  while (waitingForPlace() < many) {
    if (Date.now() > deadline) throw new Error(`${waitingForPlace()} wait, not ${many}`)
    await sleep(5)
  }
}

/** Throws when more than so many wait for a lock within the time; shorter than the time that a lock is waited for. */
export async function noMoreWait(many: number, withinMs = 500) {
  const deadline = Date.now() + withinMs
  while (Date.now() < deadline) {
    const waiting = await count(WAITING_FOR_ANYTHING)
    if (waiting > many) throw new Error(`${waiting} wait, not ${many}`)
    await sleep(5)
  }
}

async function untilWaiting(waiting: string, many: number) {
  const deadline = Date.now() + WAITS_WITHIN_MS
  while ((await count(waiting)) < many) {
    if (Date.now() > deadline) throw new Error('Nobody waits')
    await sleep(5)
  }
}
