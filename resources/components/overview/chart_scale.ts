const STEPS = [1, 2, 2.5, 5, 10]

/** Round marks from nothing to above the most, at most `count` steps. */
export function marksFor(most: number, count = 4): number[] {
  if (most <= 0) return [0]
  const rough = most / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = STEPS.map((one) => one * power).find((one) => one >= rough)!
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}
