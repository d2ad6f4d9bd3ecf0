import { setImmediate as turnOfTheLoop } from 'node:timers/promises'

/**
 * Lets requests that wait for the same read share one, without ever giving anybody
 * a read that began before they asked: a newcomer joins the next read, not the running one.
 * A read begins once this turn of the event loop is over, so that all who came with it share it.
 */
export class FreshRead<Result> {
  #running = new Map<string, Promise<Result>>()
  #next = new Map<string, Promise<Result>>()

  read(key: string, load: () => Promise<Result>): Promise<Result> {
    const waiting = this.#next.get(key)
    if (waiting) return waiting
    const next = this.#begin(key, load)
    this.#next.set(key, next)
    return next
  }

  async #begin(key: string, load: () => Promise<Result>) {
    await this.#running.get(key)?.catch(() => {})
    await turnOfTheLoop()
    this.#next.delete(key)
    const read = load()
    this.#running.set(key, read)
    try {
      return await read
    } finally {
      if (this.#running.get(key) === read) this.#running.delete(key)
    }
  }
}
