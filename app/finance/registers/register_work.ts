import { changeOf, type PartnerRegister } from '#reconciliation/store/find_register'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import type { RunProgress } from '#runs/run_body'
import { statement } from '#shared/statement'
import type { HttpContext } from '@adonisjs/core/http'

/** In whose name and words work is asked for. */
export const askerOf = ({ actor, auth }: HttpContext) => ({
  actor,
  language: auth.use('staff').user!.language,
})

/** Has a worker read a register, or match it, as it is now. */
export const askForWork = (
  ctx: HttpContext,
  kind: 'read_register' | 'match_register',
  register: Pick<PartnerRegister, 'id' | 'partnerCode' | 'version'>
) => {
  const { id: registerId, partnerCode } = register
  const asked = { kind, partnerCode, params: { registerId }, after: changeOf(register) }
  return new AskForRun().handle({ ...asked, ...askerOf(ctx) })
}

type Work = {
  id: number
  kind: string
  state: string
  progress: RunProgress | null
  error: { code: string } | null
}

const selectWork = statement<Work, { partnerId: number; id: number }>(
  'back_office_register_work',
  `SELECT id, kind, state, progress, error FROM settlement_runs
    WHERE partner_id = :partnerId AND kind IN ('read_register', 'match_register')
      AND (params ->> 'registerId')::integer = :id
    ORDER BY id DESC LIMIT 1`
)

/** What a worker is doing about it, or did last. */
export const readWork = async ({ id, partnerId }: PartnerRegister) =>
  (await selectWork.first({ partnerId, id })) ?? null
