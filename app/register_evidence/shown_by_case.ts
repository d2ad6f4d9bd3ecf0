import { DAY_MS, dayStart } from '#shared/days'
import { idOfSource } from '#defects/facts/own_payment_ids'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import type { ShownRow } from '#defects/facts/register_facts'
import type { EvidenceCase, EvidenceLine } from '#register_evidence/read_cases'
import { foldId } from '#register_reading/read_id'
import { sumTenge } from '#shared/sums'
import { min } from '#shared/tenge'

/** A row of a case that shows money. */
export interface CaseRow extends Pick<
  ShownRow,
  'line' | 'kind' | 'tenge' | 'paymentId' | 'at' | 'shownAt'
> {
  /** Null for the case's orders of ours, else the name of an order that we do not have. */
  unknown: string | null
}

export interface ShownByCase {
  /** Orders, ours and unknown ones, that the case joins. */
  ours: string[]
  unknown: string[]
  rows: CaseRow[]
  /** Orders that the register has to show as charged, and does not. */
  missing: string[]
  /** The same of those whose sale is of the register's days: a statement may still move a sale to other days. */
  missingIfOfDays: string[]
}

/**
 * What a case of a register shows, with nothing concluded from it.
 *
 * Example, of order P-1, which line 2 names, and line 3 with its payment id misspelt:
 *   accepted   lines 2 and 3 are of P-1
 *   rejected   line 2 is of P-1; line 3 is of an order that we do not have
 */
export function shownByCase(found: EvidenceCase): ShownByCase {
  const ours = oursOf(found)
  const unknown = new Set<string>()
  const rows = moneyOf(found).map(({ order, isSuggested, ...row }): CaseRow => {
    const isRejected = found.decision === 'rejected' && isSuggested
    if (ours.length > 0 && !isRejected) return { ...row, unknown: null }
    const name = nameOf({ ...row, order }, found)
    unknown.add(name)
    // Its payment would lead back to the order that it was rejected for.
    return { ...row, unknown: name, paymentId: isRejected ? null : row.paymentId }
  })
  const missing = missingIn(found, rows)
  const isMissing = found.category === 'STATUS_DIFF'
  return {
    ours,
    unknown: [...unknown],
    rows,
    missing: isMissing ? missing : [],
    missingIfOfDays: isMissing ? [] : missing,
  }
}

const IS_UNPAID = new Set(['ORDER_EXPIRED', 'ORDER_CANCELLED', 'ORDER_PENDING'])

/** Those that it was matched with, may belong to, or was meant for; none where a person has said that no row is theirs. */
function oursOf(found: EvidenceCase): string[] {
  const { decision, orderIds: matched, why, meantOrderId, isMeantOurs } = found
  if (decision === 'rejected')
    return found.rows.some(({ isSuggested }) => !isSuggested) ? matched : []
  const named = why.flatMap(({ code, detail }) => {
    if (code === 'SEVERAL_CANDIDATES' || code === 'KEYS_LEAD_TO')
      return detail!.orderIds as string[]
    return IS_UNPAID.has(code) ? [detail!.orderId as string] : []
  })
  const meant = isMeantOurs && meantOrderId !== null ? [meantOrderId] : []
  return [...new Set([...matched, ...named, ...meant])]
}

type MoneyRow = Omit<CaseRow, 'unknown'> & Pick<EvidenceLine, 'order' | 'isSuggested'>

function moneyOf(found: EvidenceCase): MoneyRow[] {
  const rows = found.rows
    .filter(({ isNotPaid }) => !isNotPaid)
    .flatMap((row) => shownBy(row, found))
  const isRejected = ({ isSuggested }: MoneyRow) => found.decision === 'rejected' && isSuggested
  const rejected = rows.filter(isRejected)
  if (found.category === 'FEE_INCLUDED' && rejected.every(({ kind }) => kind === 'return'))
    return [
      ...withoutFee(
        rows.filter((row) => !isRejected(row)),
        found
      ),
      ...rejected,
    ]
  const isNet = found.why.some(({ code }) => code === 'NET_OF_REFUND')
  return isNet && rejected.length === 0 ? gross(rows, found) : rows
}

/** A charge, a return, or both where the row shows the state that an order is in. */
function shownBy(row: EvidenceLine, found: EvidenceCase): MoneyRow[] {
  const { kind, tenge, returnedTenge } = row
  const charged = kind === 'sale' ? (tenge ?? 0) : 0
  const returned = kind === 'refund' ? -(tenge ?? 0) : returnedTenge
  return [
    shownRow(row, found, 'charge', BigInt(charged)),
    shownRow(row, found, 'return', BigInt(returned)),
  ].filter((one) => one.tenge > 0n)
}

function shownRow(
  { line, at, paymentId, order, isSuggested }: EvidenceLine,
  found: EvidenceCase,
  kind: ShownRow['kind'],
  tenge: bigint
): MoneyRow {
  return {
    line,
    kind,
    tenge,
    paymentId:
      paymentId !== null && found.numberedBy !== null
        ? idOfSource(paymentId, found.numberedBy)
        : paymentId,
    order,
    isSuggested,
    at: at === null ? null : Date.parse(at),
    shownAt: shownAt(at, found),
  }
}

/** When the register shows it: a date far from its days is of no other register, which those days are checked with. */
function shownAt(at: string | null, { from, to }: EvidenceCase) {
  const moment = at === null ? from.getTime() : Date.parse(at)
  if (moment < from.getTime() - DAY_MS) return from.getTime()
  return moment >= to.getTime() + DAY_MS ? to.getTime() - 1 : moment
}

/** The partner's fee was charged on top of our total, and may go back with it. */
function withoutFee(
  rows: MoneyRow[],
  { salesTenge, totalTenge, refundedTenge }: EvidenceCase
): MoneyRow[] {
  const fee = salesTenge - totalTenge
  const returned = sumTenge(
    rows.filter(({ kind }) => kind === 'return'),
    ({ tenge }) => tenge
  )
  const left = { charge: fee, return: min(fee, returned - refundedTenge) }
  return rows.map((row) => {
    const part = left[row.kind] > 0n ? min(left[row.kind], row.tenge) : 0n
    left[row.kind] -= part
    return { ...row, tenge: row.tenge - part }
  })
}

/** A sale that is given net of its refund: both are shown. Of one that was refunded whole the row is of 0 ₸. */
function gross(rows: MoneyRow[], found: EvidenceCase): MoneyRow[] {
  const [first] = found.rows
  const parts = (['charge', 'return'] as const).map((kind) =>
    shownRow(first, found, kind, found.refundedTenge)
  )
  return [...rows, ...parts]
}

/** Its name for the order, else the payment, else day and sum: the same in a file that is sent again. */
function nameOf(
  { order, paymentId, at, tenge }: Pick<MoneyRow, 'order' | 'paymentId' | 'at' | 'tenge'>,
  { meantOrderId, isMeantOurs, decision, orderIds }: EvidenceCase
) {
  const meant = isMeantOurs ? null : meantOrderId
  const ours = [...orderIds, ...(isMeantOurs ? [meantOrderId!] : [])].map(foldId)
  // Of a rejected match the row is of none of our orders, whatever it names and however it spells that.
  const isRejected = (name: string) => decision === 'rejected' && ours.includes(foldId(name))
  const [named] = [order, paymentId].filter(
    (id) => id !== null && !isPlaceholder(id) && !isRejected(id)
  )
  const day = at === null ? 'no-day' : dayStart(new Date(at)).toISOString().slice(0, 10)
  return meant ?? named ?? `no-id-${day}-${tenge}`
}

function missingIn({ coversSales, orderIds }: EvidenceCase, rows: CaseRow[]): string[] {
  const isCharged = rows.some(({ kind, unknown }) => kind === 'charge' && unknown === null)
  return isCharged || !coversSales ? [] : orderIds
}
