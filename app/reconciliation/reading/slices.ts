import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work that says where it may be interrupted. */
export type Sliced<T> = Generator<void, T, void>

const SLICE_MS = 15
const STEPS_BETWEEN_LOOKS = 32

/** Lets others have the event loop, but no more often than they need it. */
export class Breath {
  #steps = 0
  #started = performance.now()

  /** Whether it is time to wait for `taken()`. */
  get isDue() {
    return ++this.#steps % STEPS_BETWEEN_LOOKS === 0 && performance.now() - this.#started > SLICE_MS
  }

  async taken() {
    await nextTurn()
    this.#started = performance.now()
  }
}

/** Runs the work to its end and lets others have the event loop every few milliseconds. */
export async function runInSlices<T>(work: Sliced<T>): Promise<T> {
  const breath = new Breath()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (breath.isDue) await breath.taken()
  }
}

const RUN = 500

/** A stable sort that can be interrupted: short runs are sorted, then merged. */
export function* sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number
): Sliced<T[]> {
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let i = 0; i < runs.length; i += 2) {
      merged.push(runs[i + 1] ? yield* merge(runs[i], runs[i + 1], compare) : runs[i])
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<T>(left: T[], right: T[], compare: (a: T, b: T) => number): Sliced<T[]> {
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    const isLeft = j >= right.length || (i < left.length && compare(left[i], right[j]) <= 0)
    merged.push(isLeft ? left[i++] : right[j++])
    if (merged.length % RUN === 0) yield
  }
  return merged
}
