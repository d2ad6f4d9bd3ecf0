import { DisjointSets } from '#shared/disjoint_sets'

/**
 * Groups ids of orders (union–find), each group named by its least id.
 *
 * Example: join(['B', 'C']), join(['A', 'B']), join(['D', 'E'])
 *   firstOf('C') = 'A'   A, B and C are one group
 *   firstOf('E') = 'D'
 *   firstOf('F') = 'F', has('F') = false
 */
export class OrderGroups {
  readonly #groups = new DisjointSets<string>((one, other) => one < other)
  readonly #ids = new Set<string>()
  #members?: Map<string, string[]>

  join([head, ...others]: string[]) {
    this.#ids.add(head)
    for (const other of others) {
      this.#ids.add(other)
      this.#groups.join(head, other)
    }
  }

  /** The least id of its group, whatever the order of joins. */
  firstOf = (id: string) => this.#groups.rootOf(id)

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
