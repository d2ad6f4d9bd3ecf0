import type { RunContext } from '#runs/run_body'
import { ACTOR } from './console_app.ts'
import type { JobCounts, MatchingJob } from './jobs.ts'

/** Uploads a partner's register, reads it by the proposed mapping and matches it with our orders, as runs do. */
export async function matchRegisterFile(job: MatchingJob): Promise<JobCounts> {
  const { default: UploadRegister } = await import('#reconciliation/actions/upload_register')
  const { default: SetRegisterMapping } =
    await import('#reconciliation/actions/set_register_mapping')
  const { findRegister } = await import('#reconciliation/store/find_register')
  const { default: readRegister } = await import('#worker/run_kinds/read_register')
  const { default: matchRegister } = await import('#worker/run_kinds/match_register')

  const { registerId } = await new UploadRegister().handle({
    partnerCode: job.partnerCode,
    path: job.path,
    fileName: 'register.csv',
    actor: ACTOR,
    from: new Date(job.from),
    to: new Date(job.to),
    declaredRows: null,
    declaredTenge: null,
  })
  const { preview, version } = await findRegister(registerId)
  const { mapping } = preview.proposal
  await new SetRegisterMapping().handle({ registerId, version, mapping, actor: ACTOR })

  await readRegister({ registerId }, context)
  const { result } = await matchRegister({ registerId }, context)
  const { rows, cases, matched } = result as JobCounts
  return { rows, cases, matched }
}

const context: RunContext = {
  runId: 0,
  partnerId: null,
  actor: ACTOR,
  language: 'ru',
  directory: '',
  signal: new AbortController().signal,
  progress: () => {},
}
