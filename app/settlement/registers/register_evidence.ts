import { earliest, type Party } from '#settlement/defects/facts'
import type { RefundSeen, RegisterFacts, UnknownMoney } from '#settlement/defects/registers'
import type { MatchCategory, Reason } from '#settlement/registers/match_case'
import { lesser } from '#shared/tenge'

/** A case of a confirmed register that says something of an order, or of one that we never had. */
export interface EvidenceRow {
  registerId: number
  periodFrom: Date
  periodTo: Date
  category: MatchCategory
  decision: 'accepted' | 'rejected' | null
  salesTenge: bigint
  refundsTenge: bigint
  refundedTenge: bigint
  exposureTenge: bigint
  exposureParty: Party
  why: Reason[]
  /** Whether another confirmed register has the sale that this one lacks. */
  isElsewhere: boolean
  meantOrderId: string | null
  isMeantOurs: boolean
  /** `tenge` is what was left of the total then. */
  orders: { id: string; total: number; tenge: number }[]
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

interface Said {
  /** What the partner calls it, where it is no order of ours. */
  orderId: string
  isOurs: boolean
  fact: RegisterFacts | UnknownMoney | null
  refunds: DatedRefund[]
}
/** `isNet`: a sale told net of it shows it, which has no row of its own. */
export type DatedRefund = RefundSeen & { at: number; isNet?: boolean }

/** What one case says, order by order. */
export function evidenceOf(row: EvidenceRow): Said[] {
  if (row.decision === 'rejected') return apart(row)
  const code = codeOf(row)
  if (code === 'MISSING_AT_PLATFORM') return [chargeOf(row)]
  const [first] = row.orders
  if (!first) return row.refundsTenge > 0n ? [{ ...unknown(row), fact: null }] : []
  const fact = code && factOf(row, code, row.exposureTenge, row.exposureParty)
  return spread(refundsOf(row), row.orders).map(({ id, refunds }) => ({
    ...{ orderId: id, isOurs: true, refunds },
    fact: id === first.id ? fact : null,
  }))
}

/** One row may give back what several orders cost: each has up to its total of it, the last what is beyond. */
function spread(refunds: DatedRefund[], orders: EvidenceRow['orders']) {
  const open = [...refunds]
  return orders.map(({ id, total }, index) => {
    const own: DatedRefund[] = []
    let left = BigInt(total)
    const isLast = index === orders.length - 1
    while (open.length > 0 && (isLast || left > 0n)) {
      const refund = open.shift()!
      const tenge = isLast ? refund.tenge : lesser(refund.tenge, left)
      own.push({ ...refund, tenge })
      left -= tenge
      if (tenge < refund.tenge) open.unshift({ ...refund, tenge: refund.tenge - tenge })
    }
    return { id, refunds: own }
  })
}

/** Money without a paid order, before what went back of it: that may stand in several registers. */
function chargeOf(row: EvidenceRow): Said {
  if (row.meantOrderId === null || !row.isMeantOurs) return unknown(row)
  const fact = factOf(row, 'MISSING_AT_PLATFORM', row.salesTenge, 'BUYER')
  return { orderId: row.meantOrderId, isOurs: true, fact, refunds: refundsOf(row) }
}

/** Somebody has said that they don't belong together: each side misses the other. */
function apart(row: EvidenceRow): Said[] {
  const lacking = row.isElsewhere ? [] : row.orders
  const lonely = lacking.map(({ id, tenge }) => ({
    ...{ orderId: id, isOurs: true },
    fact: factOf({ ...row, rows: [] }, 'MISSING_AT_PARTNER', BigInt(tenge), 'PLATFORM'),
    refunds: [],
  }))
  return row.salesTenge > row.refundsTenge ? [...lonely, unknown(row)] : lonely
}

function codeOf({ category, why, isElsewhere, refundsTenge, refundedTenge }: EvidenceRow) {
  if (category === 'MISSING_AT_PLATFORM' || category === 'MISSING_AT_PARTNER') return category
  if (category !== 'REFUND_DIFF') return null
  if (why.some(({ code }) => code === 'SALE_ROW_MISSING'))
    return isElsewhere ? null : 'MISSING_AT_PARTNER'
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

function unknown(row: EvidenceRow): Said {
  const { registerId, rows, meantOrderId } = row
  const id = meantOrderId ?? rows[0]?.id ?? `register-${registerId}-line-${rows[0]?.line}`
  const fact = factOf(row, 'MISSING_AT_PLATFORM', row.salesTenge, 'BUYER')
  return {
    orderId: id,
    isOurs: false,
    fact: { ...fact, id, at: takenAt(row) },
    refunds: refundsOf(row),
  }
}

/** When the money was taken, as far as the rows tell. */
export function takenAt({ rows, periodFrom }: EvidenceRow) {
  const moments = rows.flatMap(({ at }) => (at === null ? [] : Date.parse(at)))
  return moments.length > 0 ? earliest(moments) : periodFrom.getTime()
}

function refundsOf(row: EvidenceRow): DatedRefund[] {
  if (row.why.some(({ code }) => code === 'NET_OF_REFUND'))
    return [{ tenge: row.refundedTenge, paymentId: null, at: takenAt(row), isNet: true }]
  return row.rows.flatMap(({ returned, paymentId, at }) =>
    returned
      ? {
          tenge: BigInt(returned),
          paymentId,
          at: at === null ? row.periodFrom.getTime() : Date.parse(at),
        }
      : []
  )
}
