import type { FeeRule } from '#reconciliation/matching/fee_rule'
import { toFeeRule, type StoredFeeRule } from '#reconciliation/store/stored_values'
import { toJson } from '#shared/to_json'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const selectRules = statement<{ rules: StoredFeeRule[] }, { sourceId: number }>(
  'register_source_fee_rules',
  'SELECT fee_rules AS rules FROM register_sources WHERE id = :sourceId'
)
const updateRules = statement<object, { sourceId: number; rules: string }>(
  'register_source_keep_fee_rules',
  'UPDATE register_sources SET fee_rules = :rules WHERE id = :sourceId'
)

/** Fee rules that a person has accepted for the source. */
export async function readKeptFeeRules(
  sourceId: number,
  trx: TransactionClientContract
): Promise<FeeRule[]> {
  const { rules } = await selectRules.one({ sourceId }, trx)
  return rules.map(toFeeRule)
}

export const saveKeptFeeRules = (
  sourceId: number,
  rules: FeeRule[],
  trx: TransactionClientContract
) => updateRules({ sourceId, rules: toJson(rules) }, trx)
