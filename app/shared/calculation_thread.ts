import { parentPort, Worker } from 'node:worker_threads'

/** A calculation as another thread calls it: every method answers with a promise. */
export type Remote<Calculation> = {
  [Name in keyof Calculation]: Calculation[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Awaited<Result>>
    : never
}

interface Call {
  name: string
  values: unknown[]
}
type Reply = { value: unknown } | { error: unknown }

/** The module of a thread calls this once: it answers the calls of the thread that has started it, in their order. */
export function serveCalculation(calculation: object) {
  const methods = calculation as Record<string, (...values: unknown[]) => unknown>
  let last: Promise<unknown> = Promise.resolve()
  parentPort!.on('message', ({ name, values }: Call) => {
    last = last.then(async () => {
      try {
        parentPort!.postMessage({ value: await methods[name](...values) })
      } catch (error) {
        parentPort!.postMessage({ error })
      }
    })
  })
}

/**
 * Starts a module on a thread of its own, so that a long calculation is plain synchronous code and the event loop stays
 * free. Values are copied between threads: send large ones in batches.
 *
 * @param base `import.meta.url` of the caller
 * @param module the module's file without its ending, next to the caller: `./matcher_thread`
 */
export function startThread(base: string, module: string, workerData?: unknown): Worker {
  // By the path: a development server puts a query behind it.
  const isSource = new URL(base).pathname.endsWith('.ts')
  const execArgv = isSource ? ['--import=@poppinss/ts-exec'] : []
  return new Worker(new URL(`${module}.${isSource ? 'ts' : 'js'}`, base), { workerData, execArgv })
}

/**
 * Calls a calculation that a thread serves. An aborted signal ends the thread, also in the middle of a call, which then
 * rejects with the signal's reason. `end` ends the thread when nobody needs its results any more.
 */
export function callThread<Calculation extends object>(thread: Worker, signal?: AbortSignal) {
  const waiting: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = []
  let failure: { error: unknown } | undefined
  const fail = (error: unknown) => {
    failure ??= { error }
    for (const { reject } of waiting.splice(0)) reject(failure.error)
  }
  const abort = () => {
    fail(signal!.reason)
    void thread.terminate()
  }
  thread.on('message', (reply: Reply) => {
    const call = waiting.shift()!
    if ('error' in reply) call.reject(reply.error)
    else call.resolve(reply.value)
  })
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('The thread of a calculation has ended')))
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()

  const call = (name: string, values: unknown[]) =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure.error)
      waiting.push({ resolve, reject })
      thread.postMessage({ name, values } satisfies Call)
    })
  const remote = new Proxy({} as Remote<Calculation>, {
    get: (_, name: string) =>
      name === 'then' ? undefined : (...values: unknown[]) => call(name, values),
  })
  const end = async () => {
    signal?.removeEventListener('abort', abort)
    await thread.terminate()
  }
  return { remote, end }
}
