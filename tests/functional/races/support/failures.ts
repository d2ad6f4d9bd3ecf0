import Handler from '#http/errors/handler'
import { busyReason } from '#shared/busy'
import { Refusal } from '#shared/refusals'
import { deadlocks } from './sql.js'

/** How often something failed for each cause: `{ '55P03': 1 }`. */
type Causes = Record<string, number>

/** Why requests to this process failed during the task, and the deadlocks that PostgreSQL counted. */
export async function failuresOf(task: () => Promise<unknown>): Promise<Causes> {
  const deadlocksBefore = await deadlocks()
  const { causes, stop } = countCauses()
  try {
    await task()
  } finally {
    stop()
  }
  const found = (await deadlocks()) - deadlocksBefore
  return found > 0 ? { ...causes, deadlocks: found } : causes
}

/** Looks at each error that the server turns into an answer. */
function countCauses() {
  const causes: Causes = {}
  const { handle } = Handler.prototype
  Handler.prototype.handle = function (error, ctx) {
    const cause = causeOf(error)
    if (cause) causes[cause] = (causes[cause] ?? 0) + 1
    return handle.call(this, error, ctx)
  }
  const stop = () => {
    Handler.prototype.handle = handle
  }
  return { causes, stop }
}

/** PostgreSQL's SQLSTATE; for a sale that was given up after several attempts its code. Null for a refusal by a rule. */
function causeOf(error: unknown): string | null {
  if (error instanceof Refusal) return error.status! >= 500 ? error.refusalCode : null
  return busyReason(error) ?? (error as Error).message
}
