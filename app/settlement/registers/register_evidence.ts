import type { Party } from '#settlement/defects/facts'
import type { RefundSeen, RegisterFacts, UnknownMoney } from '#settlement/defects/registers'
import type { MatchCategory, Reason } from '#settlement/registers/match_case'

/** A case of a confirmed register that says something of an order, or of one that we never had. */
export interface EvidenceRow {
  registerId: number
  periodFrom: Date
  category: MatchCategory
  decision: 'accepted' | 'rejected' | null
  salesTenge: bigint
  refundsTenge: bigint
  refundedTenge: bigint
  exposureTenge: bigint
  exposureParty: Party
  why: Reason[]
  meantOrderId: string | null
  isMeantOurs: boolean
  orders: { id: string; tenge: number }[]
  rows: EvidenceLine[]
}
interface EvidenceLine {
  line: number
  at: string | null
  paymentId: string | null
  id: string | null
  /** What a row of a refund gives back. */
  returned: number | null
}

/** Without an order it is money that we know nothing of. */
interface Said {
  orderId: string | null
  fact: RegisterFacts | UnknownMoney | null
  refunds: DatedRefund[]
}
/** `at` is as the row has it: what two registers show of the same moment is one refund. */
export type DatedRefund = RefundSeen & { at: string | null }

/** What one case says, order by order. */
export function evidenceOf(row: EvidenceRow): Said[] {
  if (row.decision === 'rejected') return apart(row)
  const code = codeOf(row)
  const fact = code && factOf(row, code, row.exposureTenge, row.exposureParty)
  if (row.category !== 'MISSING_AT_PLATFORM') {
    const [first] = row.orders
    return first ? [{ orderId: first.id, fact, refunds: refundsOf(row) }] : []
  }
  if (row.meantOrderId !== null && row.isMeantOurs)
    return [{ orderId: row.meantOrderId, fact, refunds: refundsOf(row) }]
  return row.exposureTenge > 0n ? [unknown(row, row.exposureTenge)] : []
}

/** Somebody has said that they don't belong together: each side misses the other. */
function apart(row: EvidenceRow): Said[] {
  const net = row.salesTenge - row.refundsTenge
  const lonely = row.orders.map(({ id, tenge }) => ({
    orderId: id,
    fact: factOf({ ...row, rows: [] }, 'MISSING_AT_PARTNER', BigInt(tenge), 'PLATFORM'),
    refunds: [],
  }))
  return net > 0n ? [...lonely, unknown(row, net)] : lonely
}

function codeOf({ category, why, refundsTenge, refundedTenge }: EvidenceRow) {
  if (category === 'MISSING_AT_PLATFORM' || category === 'MISSING_AT_PARTNER') return category
  if (category !== 'REFUND_DIFF') return null
  if (why.some(({ code }) => code === 'SALE_ROW_MISSING')) return 'MISSING_AT_PARTNER'
  if (refundsTenge === 0n) return 'VOID_WITHOUT_REFUND'
  return refundedTenge === 0n ? 'REFUND_WITHOUT_VOID' : 'REFUND_SUM_MISMATCH'
}

function factOf(
  { registerId, rows }: EvidenceRow,
  code: RegisterFacts['code'],
  tenge: bigint,
  party: Party
): RegisterFacts {
  return {
    ...{ code, tenge, party },
    paymentIds: [...new Set(rows.flatMap(({ paymentId }) => paymentId ?? []))],
    evidence: [`register ${registerId}`, ...rows.slice(0, 20).map(({ line }) => `line ${line}`)],
  }
}

function unknown(row: EvidenceRow, tenge: bigint): Said {
  const { registerId, rows, meantOrderId, periodFrom } = row
  const moments = rows.flatMap(({ at }) => (at === null ? [] : Date.parse(at)))
  const fact: UnknownMoney = {
    ...factOf(row, 'MISSING_AT_PLATFORM', tenge, 'BUYER'),
    id: meantOrderId ?? rows[0]?.id ?? `register-${registerId}-line-${rows[0]?.line}`,
    at: moments.length > 0 ? Math.min(...moments) : periodFrom.getTime(),
  }
  return { orderId: null, fact, refunds: [] }
}

/** A sale that is told net of what went back shows the refund without a row of its own. */
function refundsOf({ rows, why, refundedTenge }: EvidenceRow): DatedRefund[] {
  if (why.some(({ code }) => code === 'NET_OF_REFUND'))
    return [{ tenge: refundedTenge, paymentId: null, at: rows[0]?.at ?? null }]
  return rows.flatMap(({ returned, paymentId, at }) =>
    returned ? { tenge: BigInt(returned), paymentId, at } : []
  )
}
