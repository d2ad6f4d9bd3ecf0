import { readFile } from 'node:fs/promises'
import { poll } from './poll.ts'
import { StartUpError } from './start_up_error.ts'
import type { RunningProcess } from './supervisor.ts'

const SERVICE_READY_WITHIN_MS = 60_000
const APPLICATION_READY_WITHIN_MS = 120_000

/** Waits until a service is ready. Throws a StartUpError when it ends first or takes longer than a minute. */
export async function untilServiceReady(
  { name, ended }: RunningProcess,
  isReady: () => Promise<boolean>,
  logFile: string
) {
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  const isInTime = await poll(async () => (await isReady()) || hasEnded, {
    withinMs: SERVICE_READY_WITHIN_MS,
  })
  if (hasEnded || !isInTime) {
    const problem = hasEnded ? 'ended while it was starting' : 'did not become ready in a minute'
    throw new StartUpError(`${name} ${problem}. The end of its log:\n${await logTail(logFile)}`)
  }
}

/** Waits until the web process is ready. Throws a StartUpError after two minutes. */
export async function untilReadyAt(appUrl: string) {
  const url = `${appUrl.replace(/\/$/, '')}/health/ready`
  let problem = ''
  const isReady = async () => {
    problem = await readinessProblem(url)
    return problem === ''
  }
  if (!(await poll(isReady, { withinMs: APPLICATION_READY_WITHIN_MS, everyMs: 250 }))) {
    throw new StartUpError(`${url} is not ready after two minutes: ${problem}`)
  }
}

/** The last lines of a log file; empty when there is none. */
export async function logTail(file: string, lines = 15) {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-lines).join('\n')
}

async function readinessProblem(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return response.status === 200 ? '' : `${response.status} ${await response.text()}`
  } catch (error) {
    const { message, cause } = error as Error
    return cause instanceof Error ? cause.message : message
  }
}
