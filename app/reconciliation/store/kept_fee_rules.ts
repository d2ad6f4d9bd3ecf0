import type { FeeRule } from '#reconciliation/matching/fee_rule'
import { toFeeRule, toJson, type StoredFeeRule } from '#reconciliation/store/stored_values'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const selectRules = statement<{ rules: StoredFeeRule[] }, { partnerId: number }>(
  'register_habit_fees',
  'SELECT fee_rules AS rules FROM partner_register_habits WHERE partner_id = :partnerId'
)
const upsertRules = statement<object, { partnerId: number; rules: string }>(
  'register_keep_fee_rules',
  `INSERT INTO partner_register_habits (partner_id, fee_rules) VALUES (:partnerId, :rules)
   ON CONFLICT (partner_id) DO UPDATE SET fee_rules = EXCLUDED.fee_rules`
)

/** Fee rules that a person has accepted for the partner. */
export async function readKeptFeeRules(
  partnerId: number,
  trx: TransactionClientContract
): Promise<FeeRule[]> {
  const found = await selectRules.first({ partnerId }, trx)
  return found?.rules.map(toFeeRule) ?? []
}

export const saveKeptFeeRules = (
  partnerId: number,
  rules: FeeRule[],
  trx: TransactionClientContract
) => upsertRules({ partnerId, rules: toJson(rules) }, trx)
