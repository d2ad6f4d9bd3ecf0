import type { RunContext } from '#runs/run_body'
import { withArrayLiterals } from '#shared/array_literal'

interface Writing<Item, Params> {
  /** How many items there are. */
  count: number
  /** How many a statement writes. */
  size: number
  load(from: number, size: number): Item[] | Promise<Item[]>
  /** Makes the parameters of one statement. */
  prepare(batch: Item[], from: number): Params
  write(params: Params): Promise<unknown>
  progress: RunContext['progress']
}

/** Writes items in batches; loads and prepares the next batch while PostgreSQL writes the last one. */
export async function writeBatches<Item, Params extends object>({
  count,
  size,
  load,
  prepare,
  write,
  progress,
}: Writing<Item, Params>) {
  let written: Promise<unknown> = Promise.resolve()
  for (let from = 0; from < count; from += size) {
    progress({ phase: 'saving', rowsDone: from, rowsTotal: count })
    // While PostgreSQL still writes the last batch.
    const params = withArrayLiterals(prepare(await load(from, size), from))
    await written
    written = write(params)
    // A failure is thrown where it is awaited.
    written.catch(() => {})
  }
  await written
}
