/**
 * So many pieces of work at once; the others wait in the order in which they came, and give up when that takes too long
 * (counting semaphore).
 */
export class Capacity {
  #atWork = 0
  #waiting = new Set<() => void>()

  constructor(
    private readonly size: number,
    private readonly patienceMs: number,
    /** What those who give up fail with. */
    private readonly failure: () => Error
  ) {}

  get waiting(): number {
    return this.#waiting.size
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.enter()
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Resolves once there is room; `leave` must follow. */
  async enter(): Promise<void> {
    if (this.#atWork < this.size) {
      this.#atWork += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.delete(begin)
        reject(this.failure())
      }
      const timer = setTimeout(giveUp, this.patienceMs)
      this.#waiting.add(begin)
    })
  }

  /** The place goes straight to the first who waits, so that no newcomer can take it. */
  leave() {
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      next()
    } else {
      this.#atWork -= 1
    }
  }
}
