import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Measured, MeasuredJob } from './measured/jobs.ts'
import { BUILD, type Site } from './stage.ts'

type Reply = { measured: Measured } | { error: string }

/** As compose.yaml starts the worker of runs. */
const FLAGS = ['--max-semi-space-size=8']

/** Has a fresh process of the production build do one job, alone in it. */
export async function measure(site: Site, job: MeasuredJob): Promise<Measured> {
  const program = join(import.meta.dirname, 'measured/main.ts')
  // A group of its own: a Ctrl-C reaches us alone.
  const child = fork(program, {
    ...{ cwd: BUILD, env: site.environment, execArgv: FLAGS, detached: true },
  })
  const answered = once(child, 'message').then(([reply]) => reply as Reply)
  const ended = once(child, 'exit').then(([code, signal]): Reply => {
    return { error: `The process of ${job.kind} ended with ${code ?? signal}` }
  })
  child.send(job)
  const reply = await Promise.race([answered, ended])
  await ended
  if ('error' in reply) throw new Error(reply.error)
  return reply.measured
}
