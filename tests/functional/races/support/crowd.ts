import type { Answer } from '#tests/support/partner_client'

/** Runs the tasks with `width` of them at once, in order; the answers keep the order of the tasks. */
export async function crowd<Result>(
  tasks: readonly (() => Promise<Result>)[],
  width: number
): Promise<Result[]> {
  const results = Array.from<Result>({ length: tasks.length })
  let next = 0
  const walk = async () => {
    while (next < tasks.length) {
      const index = next++
      results[index] = await tasks[index]()
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, tasks.length) }, walk))
  return results
}

/** The same task many times at once. */
export const together = <Result>(times: number, task: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, (_, index) => task(index)))

export const outcomeOf = ({ status, error }: Answer) =>
  error ? `${status} ${error.code}` : `${status}`

/** How often each outcome came: `{ '201': 1, '409 SEATS_NOT_AVAILABLE': 9 }`. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const outcome = outcomeOf(answer)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

export const sleep = (ms: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, ms)))

/** Whole numbers from `from` to `to`; races need variety, not quality. */
export const between = (from: number, to: number) =>
  from + Math.floor(Math.random() * (to - from + 1))
