/** Sum of one amount per item in whole tenge; 0n for no items. */
export function sumTenge<T>(items: Iterable<T>, tengeOf: (item: T) => bigint): bigint {
  let total = 0n
  for (const item of items) total += tengeOf(item)
  return total
}

/** Sum of amounts in whole tenge; 0n for no amounts. */
export const sum = (parts: readonly bigint[]) => sumTenge(parts, (part) => part)

/** Sum of one number per item; 0 for no items. */
export function sumNumbers<T>(items: Iterable<T>, numberOf: (item: T) => number): number {
  let total = 0
  for (const item of items) total += numberOf(item)
  return total
}
