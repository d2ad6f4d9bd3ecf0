import type { RunContext } from '#runs/run_body'
import type { Done, MatchingJob } from './jobs.ts'
import { ACTOR, built } from './product.ts'

/** Takes a partner's register, reads it by the proposed mapping and matches it with our orders, as runs do. */
export async function matchRegisterFile(job: MatchingJob): Promise<Done> {
  const { default: UploadRegister } = await built('app/settlement/actions/upload_register')
  const { default: SetRegisterMapping } = await built('app/settlement/actions/set_register_mapping')
  const { findRegister } = await built('app/settlement/registers/queries/find_register')
  const { bodyOf } = await built('app/settlement/runs/kinds')
  const { partnerCode, path } = job
  const { registerId } = await new UploadRegister().handle({
    ...{ partnerCode, path, fileName: 'register.csv', actor: ACTOR },
    ...{ from: new Date(job.from), to: new Date(job.to), declaredRows: null, declaredTenge: null },
  })
  const { preview, version } = await findRegister(registerId)
  const { mapping } = preview.proposal
  await new SetRegisterMapping().handle({ registerId, version, mapping, actor: ACTOR })
  const results: Done[] = []
  for (const kind of ['read_register', 'match_register']) {
    const run = await bodyOf(kind)
    const { result } = await run({ registerId }, context)
    results.push(result)
  }
  const [, { rows, cases, matched }] = results
  return { rows, cases, matched }
}

const context: RunContext = {
  ...{ runId: 0, partnerId: null, actor: ACTOR, language: 'ru', directory: '' },
  signal: new AbortController().signal,
  progress: () => {},
}
