import { SECOND_MS } from '#shared/days'
import type { Logger } from '@adonisjs/core/logger'

interface Repeated {
  /** How often it happened since it was last logged. */
  count: number
  logLast: (count: number) => void
}

const repeated = new Map<string, Repeated>()

/**
 * Logs an error with its stack at most once a second per cause, and then how many times it has happened meanwhile.
 *
 *     0.00 s  connection refused   logged
 *     0.01 s  connection refused   counted
 *     0.90 s  connection refused   counted
 *     1.00 s                       logged, with `count: 2`
 */
export function logRepeated(
  log: Logger,
  level: 'warn' | 'error',
  message: string,
  error: unknown,
  fields: object = {}
) {
  const cause = `${message} ${causeOf(error)}`
  const earlier = repeated.get(cause)
  if (earlier) {
    earlier.count++
    earlier.logLast = (count) => log[level]({ ...fields, err: error, count }, message)
    return
  }
  log[level]({ ...fields, err: error }, message)
  repeated.set(cause, { count: 0, logLast: () => {} })
  setTimeout(() => logMeanwhile(cause), SECOND_MS).unref()
}

function logMeanwhile(cause: string) {
  const { count, logLast } = repeated.get(cause)!
  if (count === 0) {
    repeated.delete(cause)
    return
  }
  logLast(count)
  repeated.set(cause, { count: 0, logLast: () => {} })
  setTimeout(() => logMeanwhile(cause), SECOND_MS).unref()
}

/** Ids, ports and times differ from one occurrence to the next; what happened does not. */
function causeOf(error: unknown): string {
  const { code, message, name } = (error ?? {}) as Partial<Error> & { code?: string }
  return `${code ?? name} ${message?.replace(/[\w-]*\d[\w-]*/g, '#').slice(0, 200)}`
}
