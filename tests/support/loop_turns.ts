/** How long this thread computes between two turns of its event loop; a busy machine makes it wait, but not compute. */
export class LoopTurns {
  longestMs = 0
  #before = process.threadCpuUsage()
  readonly #timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(this.#before)
    this.longestMs = Math.max(this.longestMs, (user + system) / 1_000)
    this.#before = process.threadCpuUsage()
  }, 1)

  stop() {
    clearInterval(this.#timer)
  }
}
