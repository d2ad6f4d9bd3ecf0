import type { RunContext } from '#runs/run_body'
import { ACTOR } from './console_app.ts'
import type { ConfirmingJob, JobCounts, MatchingJob } from './jobs.ts'

/** Uploads a partner's register, reads it by the proposed mapping and matches it with our orders, as runs do. */
export async function matchRegisterFile(job: Omit<MatchingJob, 'kind'>): Promise<JobCounts> {
  const { result } = await matchFile(job)
  const { rows, cases, matched } = result as JobCounts
  return { rows, cases, matched }
}

/** Confirms registers one after the other; matches that they suggest are accepted, their source stays as it is set up. */
export async function confirmRegisterFiles({ registers }: ConfirmingJob): Promise<JobCounts> {
  const { default: ConfirmRegister } = await import('#reconciliation/actions/confirm_register')
  const { default: ChangeRegisterSource } =
    await import('#reconciliation/actions/change_register_source')
  const { default: DecideMatch } = await import('#reconciliation/actions/decide_match')
  const { findRegister } = await import('#reconciliation/store/find_register')
  const { findSource } = await import('#reconciliation/store/register_source')
  const { readRows } = await import('#shared/statement')

  for (const register of registers) {
    const { registerId } = await matchFile(register)
    const cases = await readRows<{ caseId: number; version: number }>(
      `SELECT id AS "caseId", version FROM partner_register_cases WHERE register_id = :registerId AND is_suggested`,
      { registerId }
    )
    const change = { decision: 'accepted' } as const
    await new DecideMatch().handle({ registerId, cases, change, actor: ACTOR })
    const { version, sourceId } = await findRegister(registerId)
    const source = await findSource(sourceId)
    await new ChangeRegisterSource().handle({
      sourceId,
      version: source.version,
      isSetupDecided: true,
      actor: ACTOR,
      language: 'ru',
    })
    const waiver = { reason: 'filled by the bench' }
    await new ConfirmRegister().handle({
      registerId,
      version,
      waiver,
      actor: ACTOR,
      language: 'ru',
    })
  }
  return { registers: registers.length }
}

async function matchFile(job: Omit<MatchingJob, 'kind'>) {
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
  return { registerId, result }
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
