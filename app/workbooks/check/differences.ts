import type { Difference } from '#workbooks/check/check_result'

const MOST = 500

/** All are counted and the first are kept. */
export class Differences {
  count = 0
  readonly first: Difference[] = []

  add(difference: Difference) {
    this.count += 1
    if (this.first.length < MOST) this.first.push(difference)
  }
}
