import type { Party } from '#settlement/defects/facts'
import type { RegisterFacts } from '#settlement/defects/register_facts'
import type { EvidenceRow } from '#settlement/registers/register_evidence'
import { magnitude } from '#shared/tenge'

export interface Verdict {
  code: RegisterFacts['code']
  tenge: bigint
  party: Party
}

/** What a case says against the orders in it. */
export function verdictOn(row: EvidenceRow): Verdict | null {
  const { category, exposureTenge, why, isElsewhere } = row
  const lacksSale = why.some(({ code }) => code === 'SALE_ROW_MISSING') && !isElsewhere
  if (category === 'MISSING_AT_PARTNER' || lacksSale)
    return { code: 'MISSING_AT_PARTNER', tenge: exposureTenge, party: 'PLATFORM' }
  return category === 'REFUND_DIFF' ? refundsDiffer(row) : null
}

function refundsDiffer({ refundsTenge, refundedTenge }: EvidenceRow): Verdict | null {
  const more = refundsTenge - refundedTenge
  if (more === 0n) return null
  return {
    ...{ code: codeOf(refundsTenge, refundedTenge), tenge: magnitude(more) },
    party: more > 0n ? 'PLATFORM' : 'BUYER',
  }
}

function codeOf(refundsTenge: bigint, refundedTenge: bigint) {
  if (refundsTenge === 0n) return 'VOID_WITHOUT_REFUND'
  return refundedTenge === 0n ? 'REFUND_WITHOUT_VOID' : 'REFUND_SUM_MISMATCH'
}
