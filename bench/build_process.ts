import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type {
  Measurement,
  MeasuredJob,
  ParameterNames,
  ParameterNamesJob,
  Reply,
} from './build_jobs/jobs.ts'
import { BUILD, type Site } from './testbed.ts'

/** The flags with which compose.yaml starts the worker of runs. */
const FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=20']

/** Measures one job in a fresh process of the production build, which does nothing else. */
export async function measureJob(site: Site, job: MeasuredJob): Promise<Measurement> {
  const reply = await runInBuild(site, job)
  if (!('measurement' in reply)) throw new Error(`No measurement of ${job.kind}`)
  return reply.measurement
}

/** The parameter names of the statements that a sale executes. */
export async function readParameterNames(site: Site): Promise<ParameterNames> {
  const reply = await runInBuild(site, { kind: 'parameter_names' })
  if (!('parameterNames' in reply)) throw new Error('No parameter names')
  return reply.parameterNames
}

async function runInBuild(site: Site, job: MeasuredJob | ParameterNamesJob): Promise<Reply> {
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
  return reply
}
