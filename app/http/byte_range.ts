/** First and last byte, both included. */
export interface ByteRange {
  first: number
  last: number
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/

/**
 * What a `Range` header asks for (RFC 9110, 14.1.2): one range, `unsatisfiable`, or null for the whole.
 * Several ranges and what can't be read are ignored, as the standard allows.
 *
 *     bytes=0-99  of 500  →  0 to 99
 *     bytes=400-  of 500  →  400 to 499
 *     bytes=-100  of 500  →  400 to 499
 *     bytes=500-  of 500  →  unsatisfiable
 */
export function readRange(header: string | undefined, size: number) {
  const [, from, to] = ONE_RANGE.exec(header ?? '') ?? []
  if (from === undefined || (from === '' && to === '')) return null
  if (from === '') return within(size - Math.min(Number(to), size), size - 1, size)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < Number(from)) return null
  return within(Number(from), last, size)
}

const within = (first: number, last: number, size: number): ByteRange | 'unsatisfiable' =>
  first < size ? { first, last } : 'unsatisfiable'
