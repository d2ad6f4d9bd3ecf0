const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/**
 * Answers once somebody wants us to stop, with the exit code that tells why. Signals that follow
 * are ignored: npm passes on a Ctrl-C that the terminal has already sent to everybody.
 */
export function untilAskedToStop() {
  return new Promise<number>((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => resolve(EXIT_CODES[signal]))
    }
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', () => resolve(EXIT_CODES.SIGHUP))
    }
    watchNpm(() => resolve(EXIT_CODES.SIGTERM))
  })
}

/** When npm is killed its signal doesn't reach us; losing our parent is the only sign of it. */
function watchNpm(onGone: () => void) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid !== parent && onGone(), 1_000).unref()
  }
}
