import type { RunContext } from '#runs/run_body'
import { setImmediate as nextTurn } from 'node:timers/promises'

interface Writing<Item, Params> {
  size: number
  /** Makes the parameters of one statement. */
  prepare(batch: readonly Item[], from: number): Params
  write(params: Params): Promise<unknown>
  progress: RunContext['progress']
}

/** Writes items batch by batch: while PostgreSQL is busy with one, the next is prepared. */
export async function writeBatches<Item, Params>(
  items: readonly Item[],
  { size, prepare, write, progress }: Writing<Item, Params>
) {
  let written: Promise<unknown> = Promise.resolve()
  for (let from = 0; from < items.length; from += size) {
    progress({ phase: 'saving', rowsDone: from, rowsTotal: items.length })
    const params = prepare(items.slice(from, from + size), from)
    await written
    written = write(params)
    // A failure is thrown where it is awaited.
    written.catch(() => {})
    // So that it is on its way before the next is prepared.
    await nextTurn()
  }
  await written
}
