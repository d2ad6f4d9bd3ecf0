/** Below the 10 seconds after which partners' clients give up. */
const ANSWER_WITHIN_MS = 9_000

/** The `code` of the error with which late work is given up. */
export const ANSWER_OVERDUE = 'E_ANSWER_OVERDUE'

/**
 * Limits how long a request waits for its answer, however many waits follow each other: for a shared read, a place, a
 * connection, a statement. Work that is given up goes on, so that a repeat of the request finds what came of it.
 *
 *     0.0 s  PostgreSQL freezes
 *     1.0 s  a request joins a read that waits since 0.5 s
 *     9.5 s  that read has failed; the request begins its own
 *    10.0 s  the request is given up, and answered 503
 */
export class AnswerDeadline {
  readonly #at = performance.now() + ANSWER_WITHIN_MS

  async race<Result>(work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const overdue = new Promise<never>((_, reject) => {
      const giveUp = () =>
        reject(Object.assign(new Error('No answer in time'), { code: ANSWER_OVERDUE }))
      timer = setTimeout(giveUp, this.#at - performance.now())
    })
    try {
      return await Promise.race([work, overdue])
    } finally {
      clearTimeout(timer)
    }
  }
}
