import type { RegisterWork } from '#finance/registers/registers_props'
import { changeOf, type PartnerRegister } from '#reconciliation/store/find_register'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import { statement } from '#shared/statement'
import type { HttpContext } from '@adonisjs/core/http'

/** The actor and the language that a run is asked for with. */
export const askerOf = ({ actor, auth }: HttpContext) => ({
  actor,
  language: auth.use('staff').user!.language,
})

/** Asks for a run that reads or matches a register as it is now. */
export const askForWork = (
  ctx: HttpContext,
  kind: 'read_register' | 'match_register',
  register: Pick<PartnerRegister, 'id' | 'partnerCode' | 'version'>
) => {
  return new AskForRun().handle({
    kind,
    partnerCode: register.partnerCode,
    params: { registerId: register.id },
    causedBy: changeOf(register),
    ...askerOf(ctx),
  })
}

const selectWork = statement<RegisterWork, { partnerId: number; id: number }>(
  'back_office_register_work',
  `SELECT id, kind, state, progress, error FROM settlement_runs
    WHERE partner_id = :partnerId AND kind IN ('read_register', 'match_register')
      AND (params ->> 'registerId')::integer = :id
    ORDER BY id DESC LIMIT 1`
)

/** The run that reads or matches the register, or did last. */
export const readWork = async ({ id, partnerId }: PartnerRegister) =>
  (await selectWork.first({ partnerId, id })) ?? null
