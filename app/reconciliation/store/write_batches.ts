import type { RunContext } from '#runs/run_body'
import { setImmediate as nextTurn } from 'node:timers/promises'

interface Writing<Item> {
  size: number
  /** Makes the parameters of one statement. */
  prepare(batch: readonly Item[], from: number): readonly unknown[]
  write(parameters: readonly unknown[]): Promise<unknown>
  progress: RunContext['progress']
}

/** Writes items batch by batch: while PostgreSQL is busy with one, the next is prepared. */
export async function writeBatches<Item>(
  items: readonly Item[],
  { size, prepare, write, progress }: Writing<Item>
) {
  let written: Promise<unknown> = Promise.resolve()
  for (let from = 0; from < items.length; from += size) {
    progress({ phase: 'saving', rowsDone: from, rowsTotal: items.length })
    const parameters = prepare(items.slice(from, from + size), from)
    await written
    written = write(parameters)
    // Told where it is waited for.
    written.catch(() => {})
    // So that it is on its way before the next is prepared.
    await nextTurn()
  }
  await written
}
