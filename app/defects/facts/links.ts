/**
 * Groups ids into cases: a disjoint-set forest (union–find) with path compression.
 *
 * Example: join(['B', 'C']), join(['A', 'B']), join(['D', 'E'])
 *   firstOf('C') = 'A'   A, B and C are one case, named by its least id
 *   firstOf('E') = 'D'
 *   firstOf('F') = 'F', has('F') = false
 */
export class Links {
  /** Payments with too many orders (`isPlaceholder`): they join nothing. */
  readonly overSharedPayments = new Set<string>()
  readonly #parents = new Map<string, string>()
  readonly #ids = new Set<string>()

  join([head, ...others]: string[]) {
    this.#ids.add(head)
    for (const other of others) {
      this.#ids.add(other)
      const [first, last] = [this.firstOf(head), this.firstOf(other)].toSorted()
      if (first !== last) this.#parents.set(last, first)
    }
  }

  /** The least id of its group, whatever the order of joins. */
  firstOf(id: string): string {
    const parent = this.#parents.get(id)
    if (parent === undefined) return id
    const first = this.firstOf(parent)
    this.#parents.set(id, first)
    return first
  }

  has = (id: string) => this.#ids.has(id)

  get ids() {
    return [...this.#ids]
  }
}
