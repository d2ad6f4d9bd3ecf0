/**
 * Groups the ids of orders into stories: a disjoint-set forest (union–find) with path compression.
 *
 * Example: join(['B', 'C']), join(['A', 'B']), join(['D', 'E'])
 *   firstOf('C') = 'A'   A, B and C are one story, named by its least id
 *   firstOf('E') = 'D'
 *   firstOf('F') = 'F', has('F') = false
 */
export class OrderGroups {
  /** Ids that several orders have and that are no payment of theirs (`namesNoPayment`). */
  readonly sharedPlaceholders = new Set<string>()
  readonly #parents = new Map<string, string>()
  readonly #ids = new Set<string>()
  #members?: Map<string, string[]>

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

  /** All ids of the group whose least one this is. Only once all joins are made. */
  membersOf(first: string): string[] {
    this.#members ??= Map.groupBy(this.#ids, (id) => this.firstOf(id))
    return this.#members.get(first) ?? [first]
  }

  has = (id: string) => this.#ids.has(id)

  get ids() {
    return [...this.#ids]
  }
}
