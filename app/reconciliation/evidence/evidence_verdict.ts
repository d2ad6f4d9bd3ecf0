import type { Party, RegisterFacts } from '#defects/facts/register_facts'
import type { EvidenceRow } from '#reconciliation/evidence/evidence_rows'
import { atLeastNothing, lesser, magnitude, sum } from '#shared/tenge'

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
  return category === 'REFUND_DIFF' || feeIn(row) > 0n ? refundsDiffer(row) : null
}

const totalOf = ({ orders }: EvidenceRow) => sum(orders.map(({ total }) => BigInt(total)))

/** What the sale is more than our total by hides nothing of its refunds. */
const feeIn = (row: EvidenceRow) =>
  row.category === 'AMOUNT_DIFF' || row.category === 'FEE_INCLUDED'
    ? atLeastNothing(row.salesTenge - totalOf(row))
    : 0n

function refundsDiffer(row: EvidenceRow): Verdict | null {
  const { refundsTenge, refundedTenge } = row
  const [more, fee] = [refundsTenge - refundedTenge, feeIn(row)]
  // A fee may go back with the price of what is void.
  const isOfFee = more > 0n && more <= fee && refundedTenge > 0n
  if (more === 0n || isOfFee) return null
  return {
    code: codeOf(refundsTenge, refundedTenge),
    tenge: fee > 0n ? lesser(magnitude(more), totalOf(row)) : magnitude(more),
    party: more > 0n ? 'PLATFORM' : 'BUYER',
  }
}

function codeOf(refundsTenge: bigint, refundedTenge: bigint) {
  if (refundsTenge === 0n) return 'VOID_WITHOUT_REFUND'
  return refundedTenge === 0n ? 'REFUND_WITHOUT_VOID' : 'REFUND_SUM_MISMATCH'
}
