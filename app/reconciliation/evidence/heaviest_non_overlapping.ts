import { larger } from '#shared/tenge'

interface Dated {
  tenge: bigint
  from: number
  to: number
}

/** Of what registers say about their days the parts that are most together, none of which is about the days of another. */
export function heaviestNonOverlapping<Part extends Dated>(parts: readonly Part[]): Part[] {
  const byEnd = parts.toSorted((one, other) => one.to - other.to)
  /** The most that the first so many make together. */
  const most = [0n]
  const withPart = (index: number) => byEnd[index].tenge + most[before(byEnd, index)]
  for (const index of byEnd.keys()) most.push(larger(most[index], withPart(index)))
  const chosen: Part[] = []
  let left = byEnd.length
  while (left > 0) {
    const isTaken = most[left] > most[left - 1]
    if (isTaken) chosen.push(byEnd[left - 1])
    left = isTaken ? before(byEnd, left - 1) : left - 1
  }
  return chosen.toReversed()
}

/** How many had ended when this one began. */
const before = (byEnd: readonly Dated[], index: number) =>
  byEnd.findIndex(({ to }) => to > byEnd[index].from)
