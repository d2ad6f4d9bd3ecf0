/**
 * Open items of a partner's account: each credit and debit with what is put against it and what is left (migration 28). Their
 * sum is the present balance without the movements of the open period that no document has yet.
 *
 * Example: SET-000001 has 100,000 to be paid; the partner pays 120,000 for it.
 *   debit   statement:1   100,000   put against it 100,000   open 0
 *   credit  payment:1     120,000   put against it 100,000   open 20,000
 */
import { memoNumber, payBy, statementNumber, TODAY } from '#ledger/statement_status'
import { statement } from '#shared/statement'
import { min } from '#shared/tenge'

export const ITEM_KINDS = ['statement', 'payment', 'memo'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** How an item is named: `payment:3`, `memo:7`, `statement:12`. */
export const ITEM = /^(payment|memo|statement):[1-9]\d{0,8}$/

/** Days since the item's date, or since the last day to pay a statement: 0–30, 31–60, 61–90, more. */
export const AGE_BUCKETS = ['to30', 'to60', 'to90', 'over90'] as const
export type AgeBucket = (typeof AGE_BUCKETS)[number]

export interface Item {
  /** `payment:3`, `memo:7`, `statement:12` */
  item: string
  kind: ItemKind
  documentId: number
  /** Number of a statement or memo. */
  number: number | null
  /** The bank's reference of a payment. */
  bankReference: string | null
  /** Day of issue of a statement, of approval of a memo, of the bank for a payment; `2026-11-24`. */
  datedOn: string
  ageDays: number
  bucket: AgeBucket
  /** Positive: a debit, the partner owes it. */
  signedTenge: bigint
  allocatedTenge: bigint
  restTenge: bigint
}

/** Names as people read them: `SET-000012`, `MEM-000007`, the reference of a payment. */
export const itemName = ({
  kind,
  number,
  bankReference,
}: Pick<Item, 'kind' | 'number' | 'bankReference'>) => {
  if (kind === 'payment') return bankReference ?? ''
  return kind === 'memo' ? memoNumber(number!) : statementNumber(number!)
}

/** A statement with days to pay ages from its last day, every other item from its own day. */
const AGES_FROM = `coalesce(
  (SELECT ${payBy('s')} FROM settlement_statements s WHERE i.kind = 'statement' AND s.id = i.document_id), i.dated_on)`
const AGE = `greatest(${TODAY} - ${AGES_FROM}, 0)`
export const AGE_BUCKET = `CASE WHEN ${AGE} <= 30 THEN 'to30' WHEN ${AGE} <= 60 THEN 'to60' WHEN ${AGE} <= 90 THEN 'to90' ELSE 'over90' END`

const SELECT = `
  SELECT i.item, i.kind, i.document_id AS "documentId",
         CASE i.kind WHEN 'statement' THEN (SELECT number FROM settlement_statements WHERE id = i.document_id)
                     WHEN 'memo' THEN (SELECT number FROM settlement_memos WHERE id = i.document_id) END AS number,
         CASE i.kind WHEN 'payment' THEN (SELECT bank_reference FROM settlement_payments WHERE id = i.document_id) END AS "bankReference",
         i.dated_on::text AS "datedOn", ${AGE} AS "ageDays", ${AGE_BUCKET} AS bucket,
         i.signed_tenge AS "signedTenge", i.allocated_tenge AS "allocatedTenge", i.rest_tenge AS "restTenge"
    FROM settlement_items i`

/** What is not fully put against something, the oldest first. */
export const listOpenItems = statement<Item, { partnerId: number }>(
  'settlement_open_items',
  `${SELECT} WHERE i.partner_id = :partnerId AND i.rest_tenge <> 0 ORDER BY i.dated_on, i.kind, i.document_id`
)
export const findItem = statement<Item, { partnerId: number; item: string }>(
  'settlement_item',
  `${SELECT} WHERE i.partner_id = :partnerId AND i.item = :item`
)

export interface Allocation {
  id: number
  credit: string
  debit: string
  amountTenge: bigint
  allocatedBy: string
  allocatedAt: Date
  /** A document against the one that takes it back: they cancel each other out for good. */
  isReversal: boolean
}

/** SQL: whether one of the two documents takes the other one back. */
const IS_REVERSAL = `(
  EXISTS (SELECT 1 FROM settlement_payments y
           WHERE y.partner_id = a.partner_id AND y.reverses_id IS NOT NULL
             AND 'payment:' || y.id IN (a.credit, a.debit) AND 'payment:' || y.reverses_id IN (a.credit, a.debit))
  OR EXISTS (SELECT 1 FROM settlement_memos m
              WHERE m.partner_id = a.partner_id AND m.reverses_id IS NOT NULL
                AND 'memo:' || m.id IN (a.credit, a.debit) AND 'memo:' || m.reverses_id IN (a.credit, a.debit)))`

const ALLOCATION = `
  SELECT a.id::int AS id, a.credit, a.debit, a.amount_tenge AS "amountTenge", a.allocated_by AS "allocatedBy",
         a.allocated_at AS "allocatedAt", ${IS_REVERSAL} AS "isReversal"
    FROM settlement_allocations a
   WHERE a.partner_id = :partnerId AND a.reverses_id IS NULL
     AND NOT EXISTS (SELECT 1 FROM settlement_allocations undone WHERE undone.reverses_id = a.id)`

/** Allocations in force, the newest first. */
export const listAllocations = statement<Allocation, { partnerId: number }>(
  'settlement_allocations_of_partner',
  `${ALLOCATION} ORDER BY a.id DESC LIMIT 100`
)
/** Allocations in force of one item, the oldest first. */
export const listAllocationsOf = statement<Allocation, { partnerId: number; item: string }>(
  'settlement_allocations_of_item',
  `${ALLOCATION} AND :item IN (a.credit, a.debit) ORDER BY a.id`
)
export const findAllocation = statement<Allocation, { partnerId: number; allocationId: number }>(
  'settlement_allocation',
  `${ALLOCATION} AND a.id = :allocationId`
)

export interface Proposal {
  debit: string
  amountTenge: bigint
}

/** Where the rest of a credit would go: the oldest open debit. Null when nothing is open. */
export function proposeDebit(credit: Item, debits: Item[]): Proposal | null {
  const oldest = debits.find(({ restTenge }) => restTenge > 0n)
  if (!oldest) return null
  return { debit: oldest.item, amountTenge: min(credit.restTenge, oldest.restTenge) }
}
