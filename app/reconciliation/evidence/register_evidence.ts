import { dayStart } from '#shared/days'
import type {
  DatedRefund,
  EvidenceLine,
  EvidenceOrder,
  EvidenceRow,
} from '#reconciliation/evidence/evidence_rows'
import { earliest } from '#defects/facts/facts'
import type { RegisterFacts } from '#defects/facts/register_facts'
import { verdictOn, type Verdict } from '#reconciliation/evidence/evidence_verdict'
import { openOf, spread } from '#reconciliation/evidence/share_refunds'
import { lesser, sum } from '#shared/tenge'

export interface ReportedOrder {
  /** What the partner calls it, where it is no order of ours. */
  orderId: string
  isOurs: boolean
  facts: DatedFact[]
  refunds: DatedRefund[]
}
/** When its money was taken, as far as rows tell. */
export interface DatedFact {
  fact: RegisterFacts
  at: number | null
}

/** What one case says, order by order. */
export function evidenceOf(row: EvidenceRow): ReportedOrder[] {
  if (row.decision === 'rejected') return apart(row)
  if (row.category === 'MISSING_AT_PLATFORM' || isPaidWhilePending(row)) return [unpaid(row)]
  if (row.orders.length === 0) return row.refundsTenge > 0n ? [{ ...unknown(row), facts: [] }] : []
  const verdict = verdictOn(row)
  let left = verdict?.tenge ?? 0n
  return spread(refundsOf(row), row.orders).map(({ order, refunds }, index) => {
    const isLast = index === row.orders.length - 1
    const tenge = isLast ? left : lesser(left, openOf(order, refunds, verdict?.party))
    left -= tenge
    const facts = verdict && tenge > 0n ? [dated(row, { ...verdict, tenge })] : []
    return { orderId: order.id, isOurs: true, facts, refunds }
  })
}

/** Money without a paid order, before what went back of it: that may stand in several registers. */
function unpaid(row: EvidenceRow): ReportedOrder {
  if (row.meantOrderId === null || !row.isMeantOurs) return unknown(row)
  const isOfPending = isPaidWhilePending(row)
  const facts = chargesOf(row).map(({ fact, at }) => ({ fact: { ...fact, isOfPending }, at }))
  return { orderId: row.meantOrderId, isOurs: true, facts, refunds: refundsOf(row) }
}

/** Somebody has said that they don't belong together: each side misses the other. */
function apart(row: EvidenceRow): ReportedOrder[] {
  const lonely = row.orders.map((order) => ({
    orderId: order.id,
    isOurs: true,
    refunds: [],
    facts: [dated({ ...row, rows: [] }, lackedOf(order, row))].filter(
      ({ fact }) => fact.tenge > 0n
    ),
  }))
  const ours = new Set([row.meantOrderId, ...row.orders.map(({ id }) => id)])
  const rows = row.rows.map((one) => ({ ...one, order: ours.has(one.order) ? null : one.order }))
  const strange = unknown({ ...row, meantOrderId: null, rows })
  return row.salesTenge > row.refundsTenge ? [...lonely, strange] : lonely
}

/** Of an order that a register has no row of: its sale, or, of a sale that stands elsewhere, what was void in its days. */
const lackedOf = (order: EvidenceOrder, { isElsewhere }: EvidenceRow): Verdict =>
  order.isOfDays && !isElsewhere
    ? { code: 'MISSING_AT_PARTNER', tenge: BigInt(order.tenge), party: 'PLATFORM' }
    : { code: 'VOID_WITHOUT_REFUND', tenge: BigInt(order.voidInDays), party: 'BUYER' }

const isPaidWhilePending = ({ category, meantOrderId }: EvidenceRow) =>
  category === 'STATUS_DIFF' && meantOrderId !== null

function dated({ registerId, rows }: EvidenceRow, verdict: Verdict): DatedFact {
  const fact = {
    ...verdict,
    paymentIds: [...new Set(rows.flatMap(({ paymentId }) => paymentId ?? []))],
    evidence: [`register ${registerId}`, ...rows.slice(0, 20).map(({ line }) => `line ${line}`)],
  }
  return { fact, at: takenAt(rows) }
}

/**
 * Payment by payment, and row by row where they name none: a confirm may tell of one, another register of some. A refund often
 * has an id of its own: that is no charge's.
 */
function chargesOf(row: EvidenceRow): DatedFact[] {
  const charges = Map.groupBy(
    row.rows.filter(({ sold }) => sold !== null),
    ({ paymentId, line }) => paymentId ?? line
  )
  return [...charges.values()].map((rows) => {
    const tenge = sum(rows.map(({ sold }) => BigInt(sold!)))
    return dated({ ...row, rows }, { code: 'MISSING_AT_PLATFORM', tenge, party: 'BUYER' })
  })
}

function unknown(row: EvidenceRow): ReportedOrder {
  const { rows, meantOrderId } = row
  const orderId = meantOrderId ?? rows[0]?.order ?? rows[0]?.paymentId ?? withoutName(rows)
  return { orderId, isOurs: false, facts: chargesOf(row), refunds: refundsOf(row) }
}

/** A row without any id is the same in a file that is sent again. */
function withoutName(rows: EvidenceLine[]) {
  const at = takenAt(rows)
  const day = at === null ? 'no-day' : dayStart(new Date(at)).toISOString().slice(0, 10)
  return `no-id-${day}-${rows[0]?.sold ?? rows[0]?.returned}`
}

function takenAt(rows: EvidenceLine[]) {
  const moments = rows.flatMap(({ at }) => (at === null ? [] : Date.parse(at)))
  return moments.length > 0 ? earliest(moments) : null
}

function refundsOf(row: EvidenceRow): DatedRefund[] {
  if (row.why.some(({ code }) => code === 'NET_OF_REFUND'))
    return [{ tenge: row.refundedTenge, paymentId: null, at: takenAt(row.rows), isNet: true }]
  return row.rows.flatMap(({ returned, paymentId, at }) =>
    returned ? { tenge: BigInt(returned), paymentId, at: at === null ? null : Date.parse(at) } : []
  )
}
