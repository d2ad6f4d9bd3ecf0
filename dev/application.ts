import { setTimeout as delay } from 'node:timers/promises'
import { root } from './paths.ts'
import { StartUpError } from './start_up_error.ts'
import type { ProcessSpec, RunningProcess, Supervisor } from './supervisor.ts'

const READY_WITHIN_MS = 120_000

/** A command of the application, with the Node that runs us. */
export function ace(
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  options: Partial<ProcessSpec> = {}
): ProcessSpec {
  return {
    name,
    command: process.execPath,
    args: ['ace', ...args],
    cwd: root,
    env,
    output: 'lines',
    ...options,
  }
}

/** The web process, which takes changed code over without a restart. */
export async function startWeb(supervisor: Supervisor, env: NodeJS.ProcessEnv) {
  // The watcher outlives its server, whether that crashed or was asked to stop.
  const onLine = (line: string) => {
    if (/Underlying HTTP server (died|closed)/.test(line)) {
      web.kill()
    }
  }
  const web: RunningProcess = await supervisor.start(
    ace('web', ['serve', '--hmr', '--no-clear'], env, { onLine })
  )
}

export function startWorker(supervisor: Supervisor, env: NodeJS.ProcessEnv) {
  return supervisor.start(ace('worker', ['queue:work'], env))
}

export async function untilReadyAt(appUrl: string) {
  const url = `${appUrl.replace(/\/$/, '')}/health/ready`
  const deadline = Date.now() + READY_WITHIN_MS
  let answer = await ask(url)
  while (answer.status !== 200) {
    if (Date.now() > deadline) {
      throw new StartUpError(`${url} is not ready after two minutes: ${answer.text}`)
    }
    await delay(250)
    answer = await ask(url)
  }
}

async function ask(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return { status: response.status, text: `${response.status} ${await response.text()}` }
  } catch (error) {
    const { message, cause } = error as Error
    return { status: 0, text: cause instanceof Error ? cause.message : message }
  }
}
