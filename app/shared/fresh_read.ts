/**
 * Lets requests that wait for the same read share one, without ever giving anybody
 * a read that began before they asked: a newcomer joins the next read, not the running one.
 */
export class FreshRead<Result> {
  #running = new Map<string, Promise<Result>>()
  #next = new Map<string, Promise<Result>>()

  read(key: string, load: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(key)
    if (!running) return this.#start(key, load)
    return this.#next.get(key) ?? this.#queue(key, running, load)
  }

  #start(key: string, load: () => Promise<Result>) {
    const read = load().finally(() => {
      if (this.#running.get(key) === read) this.#running.delete(key)
    })
    this.#running.set(key, read)
    return read
  }

  #queue(key: string, running: Promise<Result>, load: () => Promise<Result>) {
    const begin = () => {
      this.#next.delete(key)
      return this.#start(key, load)
    }
    const next = running.then(begin, begin)
    this.#next.set(key, next)
    return next
  }
}
