import { logError } from './output.ts'
import { Interrupted, StartUpError } from './start_up_error.ts'

const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/**
 * Runs the work until it ends, fails, or a stop is requested; then runs the clean-up that the work registered, in
 * reverse order, and exits. The work returns the exit code.
 */
export async function runProgram(
  work: (cleanup: AsyncDisposableStack) => Promise<number>,
  { exitCodeOnStop }: { exitCodeOnStop?: number } = {}
) {
  const cleanup = new AsyncDisposableStack()
  const stopped = stopRequest().then((code) => exitCodeOnStop ?? code)
  const crashed = new Promise<number>((resolve) => {
    process.on('uncaughtException', (error) => resolve(report(error)))
  })
  let code = await Promise.race([work(cleanup).catch(report), stopped, crashed])
  try {
    await cleanup.disposeAsync()
  } catch (error) {
    code = report(error) || code
  }
  process.exit(code)
}

/**
 * Resolves with an exit code when a signal, a closed terminal or a dead npm asks us to stop. Later signals are ignored:
 * npm forwards a Ctrl-C that the terminal has already sent to the whole group.
 */
function stopRequest() {
  return new Promise<number>((resolve) => {
    for (const [signal, code] of Object.entries(SIGNAL_EXIT_CODES)) {
      process.on(signal, () => resolve(code))
    }
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', () => resolve(SIGNAL_EXIT_CODES.SIGHUP))
    }
    watchNpm(() => resolve(SIGNAL_EXIT_CODES.SIGTERM))
  })
}

/** A signal that kills npm does not reach us; the change of our parent process is the only sign. */
function watchNpm(onDeath: () => void) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid !== parent && onDeath(), 1_000).unref()
  }
}

/** Prints the error and returns the exit code. */
function report(error: unknown) {
  if (error instanceof StartUpError || codeOf(error).startsWith('ERR_PARSE_ARGS')) {
    logError((error as Error).message)
  } else if (codeOf(error) === 'EACCES') {
    const advice = 'the file belongs to another user; remove it or run as that user.'
    logError(`${(error as Error).message}: ${advice}`)
  } else if (!(error instanceof Interrupted)) {
    console.error(error)
  }
  return 1
}

function codeOf(error: unknown) {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
