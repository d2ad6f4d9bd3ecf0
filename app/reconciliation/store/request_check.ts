import type { Period } from '#ledger/periods'
import { changeOf, type PartnerRegister } from '#reconciliation/store/find_register'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import type { Actor } from '#shared/actor'
import type { Language } from '#shared/languages'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Who asks for a run, and the language of its messages. */
export interface Asker {
  actor: Actor
  language: Language
}

// When its orders were made, when it shows money of unknown orders, and the days of other registers that show payments of such.
const selectReach = statement<{ from: Date | null; to: Date | null }, { id: number }>(
  'register_reach',
  `SELECT min(at) AS "from", max(at) AS "to"
     FROM (SELECT o.created_at AS at
             FROM (SELECT order_id FROM partner_register_case_orders WHERE register_id = :id
                    UNION SELECT meant_order_id FROM partner_register_cases WHERE register_id = :id) c
             JOIN orders o ON o.id = c.order_id
            UNION ALL
           SELECT least(greatest(w.at, r.period_from - interval '1 day'), r.period_to + interval '1 day')
             FROM partner_registers r JOIN partner_register_cases c ON c.register_id = r.id
             JOIN partner_register_case_rows l ON l.case_id = c.id
             JOIN partner_register_rows w ON w.register_id = l.register_id AND w.line = l.line
            WHERE r.id = :id AND (c.category = 'MISSING_AT_PLATFORM' OR c.decision = 'rejected') AND w.at IS NOT NULL
            UNION ALL
           SELECT unnest(ARRAY[other.period_from, other.period_to - interval '1 second'])
             FROM partner_registers r JOIN partner_registers other ON other.partner_id = r.partner_id AND other.id <> r.id
            WHERE r.id = :id AND other.state = 'confirmed' AND EXISTS (
              SELECT 1 FROM partner_register_cases c JOIN partner_register_case_rows l ON l.case_id = c.id
                JOIN partner_register_rows w ON w.register_id = l.register_id AND w.line = l.line
                JOIN partner_register_rows own ON own.register_id = r.id AND own.payment_id = w.payment_id
                 AND left(own.payment_id, 64) = left(w.payment_id, 64)
               WHERE c.register_id = other.id AND c.category = 'MISSING_AT_PLATFORM')) affected`
)

/** The register's period, extended by all orders and payments that the register or one with the same payments affects. */
export async function reachOf(
  { id, from, to }: PartnerRegister,
  trx: TransactionClientContract
): Promise<Period> {
  const orders = await selectReach.one({ id }, trx)
  const [first, last] = [orders.from ?? from, orders.to ?? from]
  return {
    from: first < from ? first : from,
    to: last < to ? to : new Date(last.getTime() + 1),
  }
}

/** Requests a run that applies the rules to everything that the register affects. */
export const requestCheck = (
  register: PartnerRegister,
  { from, to }: Period,
  asker: Asker,
  trx: TransactionClientContract
) => {
  const { partnerCode } = register
  const params = { partnerCode, from: from.toISOString(), to: to.toISOString() }
  const asked = { kind: 'check_period', partnerCode, params, ...asker } as const
  return new AskForRun().within({ ...asked, causedBy: changeOf(register) }, trx)
}

export const unionOf = (periods: Period[]): Period => ({
  from: new Date(Math.min(...periods.map(({ from }) => from.getTime()))),
  to: new Date(Math.max(...periods.map(({ to }) => to.getTime()))),
})
