/** Reckoning with whole tenge, which are bigints everywhere. */

export const larger = (one: bigint, other: bigint) => (one > other ? one : other)
export const lesser = (one: bigint, other: bigint) => (one < other ? one : other)
export const magnitude = (tenge: bigint) => larger(tenge, -tenge)
export const atLeastNothing = (tenge: bigint) => larger(tenge, 0n)

export { sum } from '#shared/sums'
