import { problemsOf, type StartProblem } from './checks.js'

/**
 * Prints why the process could not start or go on, and ends it with code 1, so that a supervisor can act; open connections
 * would keep it alive. In a deployment each problem is one JSON line, like all others of the log, but for a person at a terminal.
 */
export async function endWithFailure(error: unknown): Promise<never> {
  const problems = knownProblemsOf(error)
  if (isDeployment()) {
    for (const problem of problems ?? [crash(error)]) process.stdout.write(`${asLine(problem)}\n`)
  } else if (problems) {
    for (const { message } of problems) process.stderr.write(`${message}\n`)
  } else {
    const { prettyPrintError } = await import('@adonisjs/core')
    await prettyPrintError(error as object)
  }
  process.exit(1)
}

function isDeployment() {
  const { NODE_ENV: mode, DEPLOYMENT: deployment } = process.env
  return !process.stdout.isTTY && (mode === 'production' || deployment === 'live')
}

function knownProblemsOf(error: unknown): StartProblem[] | undefined {
  try {
    return problemsOf(error)
  } catch {
    return undefined
  }
}

function crash(error: unknown) {
  const { message, stack, code } = error as NodeJS.ErrnoException
  return { message: `the process ends: ${message}`, err: { code, message, stack } }
}

function asLine({ message, ...fields }: StartProblem) {
  const head = { level: 'fatal', time: new Date().toISOString(), pid: process.pid }
  return JSON.stringify({ ...head, ...fields, msg: message })
}
