import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BuildJob, Measurement } from './build_jobs/jobs.ts'
import { BUILD, type Site } from './testbed.ts'

type Reply = { measurement: Measurement } | { error: string }

/** The flags with which compose.yaml starts the worker of runs. */
const FLAGS = ['--max-semi-space-size=8']

/** Measures one job in a fresh process of the production build, which does nothing else. */
export async function measureJob(site: Site, job: BuildJob): Promise<Measurement> {
  const child = fork(join(BUILD, 'bench/build_jobs/main.js'), {
    cwd: BUILD,
    env: site.environment,
    execArgv: FLAGS,
    // In its own process group, so that Ctrl-C reaches only us.
    detached: true,
  })
  const replied = once(child, 'message').then(([reply]) => reply as Reply)
  const ended = once(child, 'exit').then(([code, signal]): Reply => {
    return { error: `The process of ${job.kind} ended with ${code ?? signal}` }
  })
  child.send(job)
  const reply = await Promise.race([replied, ended])
  await ended
  if ('error' in reply) throw new Error(reply.error)
  return reply.measurement
}
