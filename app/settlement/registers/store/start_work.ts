import type { PartnerRegister } from '#settlement/registers/queries/find_register'
import type { RunBody, RunContext } from '#settlement/runs/run_body'

const KINDS = {
  read_register: () => import('#settlement/runs/kinds/read_register'),
  match_register: () => import('#settlement/runs/kinds/match_register'),
}

/** Has a register read or matched; whoever asked waits for it. */
export async function startRegisterWork(
  kind: keyof typeof KINDS,
  { id: registerId, partnerId }: Pick<PartnerRegister, 'id' | 'partnerId'>,
  { actor, language, signal }: Pick<RunContext, 'actor' | 'language'> & { signal?: AbortSignal }
) {
  const { default: body } = (await KINDS[kind]()) as { default: RunBody<{ registerId: number }> }
  const context = { actor, language, signal: signal ?? new AbortController().signal }
  await body(
    { registerId },
    { ...context, partnerId, runId: 0, directory: '', progress: () => {} }
  )
}
