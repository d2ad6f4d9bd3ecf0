import SetTerms, { type SetTermsInput } from '#ledger/actions/set_terms'
import { ApproveRequest } from '#ledger/actions/decide_request'
import { FIRST_TERMS_FROM } from '#ledger/terms'
import { aPerson, type TestPartner } from '#tests/support/fixtures'
import { one, rows, ownerRows } from '#tests/support/rows'

export const TERMS: Omit<SetTermsInput, 'partnerCode' | 'actor'> = {
  validFrom: FIRST_TERMS_FROM,
  period: 'month',
  commissionBp: 750,
  vatBp: 1600,
  rounding: 'half_up',
  graceMinutes: 60,
  disputeDays: 14,
  silenceAgrees: true,
  minPaymentTenge: 0n,
  penaltyTenge: 0n,
  refundEvidenceDays: 3,
  allowsCombinedPayments: false,
  usedTicketsOfCancelledEvents: 'keep',
  paymentDays: null,
  legalName: 'ТОО «Продажи»',
  bin: '123456789013',
  contractNumber: 'Д-17',
  contractDate: '2026-01-15',
  signatory: 'Б. Омаров, директор',
}

/** Terms in force: where a second person is needed, another one approves them. */
export async function setTerms(partner: TestPartner, more: Partial<SetTermsInput> = {}) {
  const { requestId, termsId } = await askForTerms(partner, more)
  if (requestId === null) return { termsId: termsId! }
  await new ApproveRequest().handle({ requestId, actor: aPerson() })
  const set = await one(
    'SELECT max(id) AS id FROM settlement_terms WHERE partner_id = ? AND set_by IS NOT NULL',
    partner.id
  )
  return { termsId: set.id as number }
}

export const askForTerms = (partner: TestPartner, more: Partial<SetTermsInput> = {}) =>
  new SetTerms().handle({ ...TERMS, partnerCode: partner.code, actor: aPerson(), ...more })

export interface MovementRow {
  kind: string
  tenge: string
  tickets: number
  source: string
}

/** Everything that has moved for a partner, in order. */
export async function movementsOf(partner: TestPartner) {
  return (await rows(
    `SELECT kind, amount_tenge::text AS tenge, tickets, source FROM ledger_movements WHERE partner_id = ? ORDER BY id`,
    partner.id
  )) as MovementRow[]
}

/** As if all that was sold so far had been sold in another month: the guards of the tables are off for that. */
export async function moveInTime(partner: TestPartner, by: string) {
  for (const [table, column, where] of [
    ['orders', 'created_at', 'partner_id = ?'],
    ['orders', 'confirmed_at', 'partner_id = ?'],
    ['orders', 'window_ends_at', 'partner_id = ?'],
    ['orders', 'payment_paid_at', 'partner_id = ?'],
    ['confirm_attempts', 'received_at', 'partner_id = ?'],
    ['confirm_attempts', 'paid_at', 'partner_id = ?'],
    ['confirm_attempts', 'window_ends_at', 'partner_id = ?'],
    ['ledger_movements', 'effective_at', 'partner_id = ? AND statement_id IS NULL'],
    ['tickets', 'voided_at', 'order_id IN (SELECT id FROM orders WHERE partner_id = ?)'],
    // Of our orders; when an unknown one was charged stands in its register.
    [
      'partner_register_evidence_keys',
      'at',
      `partner_id = ? AND kind = 'order' AND key IN (SELECT upper(id) FROM orders)`,
    ],
  ])
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE ${table} SET ${column} = ${column} + ?::interval FROM free WHERE ${where}`,
      by,
      partner.id
    )
}
