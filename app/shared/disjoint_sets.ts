/**
 * Groups items that are joined, directly or through others: a disjoint-set forest (union–find) with path halving.
 *
 * Example: join('B', 'C'), join('A', 'B')
 *   rootOf('C') = rootOf('A'), and with "less than" as `comesFirst` it is 'A'
 *   rootOf('D') = 'D': nothing is joined with it
 */
export class DisjointSets<Item> {
  readonly #parents = new Map<Item, Item>()

  /** `comesFirst` chooses the root of two groups that are joined; without it any item of a group may be its root. */
  constructor(private readonly comesFirst: (one: Item, other: Item) => boolean = () => true) {}

  join(one: Item, other: Item) {
    const [root, otherRoot] = [this.rootOf(one), this.rootOf(other)]
    if (root === otherRoot) return
    if (this.comesFirst(root, otherRoot)) this.#parents.set(otherRoot, root)
    else this.#parents.set(root, otherRoot)
  }

  rootOf(item: Item): Item {
    let at = item
    for (;;) {
      const parent = this.#parents.get(at)
      if (parent === undefined) return at
      const above = this.#parents.get(parent)
      if (above === undefined) return parent
      this.#parents.set(at, above)
      at = above
    }
  }
}
