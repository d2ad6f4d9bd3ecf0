/** Arithmetic with whole tenge, which are bigints everywhere. */

export const max = (one: bigint, other: bigint) => (one > other ? one : other)
export const min = (one: bigint, other: bigint) => (one < other ? one : other)
export const abs = (tenge: bigint) => max(tenge, -tenge)
export const atLeastZero = (tenge: bigint) => max(tenge, 0n)

export { sum } from '#shared/sums'
