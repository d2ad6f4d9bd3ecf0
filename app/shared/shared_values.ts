/**
 * Keeps equal texts and numbers once: of hundreds of thousands of records that came from PostgreSQL or from another thread, each
 * has its own copy of the same few values.
 */
export class SharedValues {
  readonly #known = new Map<unknown, unknown>()

  /** The record itself, with the one copy of each of these values. */
  within<Item extends object>(item: Item, names: readonly (keyof Item)[]): Item {
    for (const name of names) item[name] = this.#one(item[name])
    return item
  }

  #one<Value>(value: Value): Value {
    if (!this.#known.has(value)) this.#known.set(value, value)
    return this.#known.get(value) as Value
  }
}
