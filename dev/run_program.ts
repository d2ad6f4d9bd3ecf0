import { sayError } from './output.ts'
import { Interrupted, StartUpError } from './start_up_error.ts'
import { untilAskedToStop } from './stop_request.ts'

/**
 * Does the work until it is done, fails, or somebody asks to stop; then runs what the work left to
 * clean up, in reverse, and exits. The work answers with the exit code.
 */
export async function runToTheEnd(
  work: (cleanup: AsyncDisposableStack) => Promise<number>,
  { codeWhenAskedToStop }: { codeWhenAskedToStop?: number } = {}
) {
  const cleanup = new AsyncDisposableStack()
  const asked = untilAskedToStop().then((code) => codeWhenAskedToStop ?? code)
  const crashed = new Promise<number>((resolve) => {
    process.on('uncaughtException', (error) => resolve(report(error)))
  })
  let code = await Promise.race([work(cleanup).catch(report), asked, crashed])
  try {
    await cleanup.disposeAsync()
  } catch (error) {
    code = report(error) || code
  }
  process.exit(code)
}

function report(error: unknown) {
  if (error instanceof StartUpError || codeOf(error).startsWith('ERR_PARSE_ARGS')) {
    sayError((error as Error).message)
  } else if (codeOf(error) === 'EACCES') {
    const advice = 'what another user made is in the way; remove it or run as that user.'
    sayError(`${(error as Error).message}: ${advice}`)
  } else if (!(error instanceof Interrupted)) {
    console.error(error)
  }
  return 1
}

function codeOf(error: unknown) {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
