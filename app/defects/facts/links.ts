/** Which ids belong to one case, as they were joined. */
export class Links {
  /** Payments of more orders than one payment can stand for: nothing is joined by them. */
  readonly crowded = new Set<string>()
  readonly #above = new Map<string, string>()
  readonly #ids = new Set<string>()

  join([head, ...others]: string[]) {
    this.#ids.add(head)
    for (const other of others) {
      this.#ids.add(other)
      const [first, last] = [this.firstOf(head), this.firstOf(other)].toSorted()
      if (first !== last) this.#above.set(last, first)
    }
  }

  /** The least id of all that it is joined with: the same in whatever order they were joined. */
  firstOf(id: string): string {
    const above = this.#above.get(id)
    if (above === undefined) return id
    const first = this.firstOf(above)
    this.#above.set(id, first)
    return first
  }

  has = (id: string) => this.#ids.has(id)

  get ids() {
    return [...this.#ids]
  }
}
