import type { MatchTotals } from '#reconciliation/matching/match_case'
import type { MatchSummary, StoredCase } from '#reconciliation/matching/register_matcher'
import { explainForeignOrders } from '#reconciliation/store/foreign_orders'
import type { Matcher } from '#reconciliation/store/read_match_input'
import { lockRegister, type PartnerRegister } from '#reconciliation/store/find_register'
import { toJson } from '#shared/to_json'
import { writeBatches } from '#runs/write_batches'
import type { RunContext } from '#runs/run_body'
import { allowLongWrites } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { sumNumbers, sumTenge } from '#shared/sums'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createHash } from 'node:crypto'

const BATCH = 500

/** What people have decided about a case. */
interface KeptDecision {
  decision: string | null
  decided_by: string | null
  decided_at: Date | null
  owner_id: number | null
  due_on: string | null
  note: string | null
  version: number
}

const selectKept = statement<KeptDecision & { key: string }, { id: number }>(
  'register_kept_decisions',
  `SELECT key, decision, decided_by, decided_at, owner_id, due_on::text, note, version FROM partner_register_cases
    WHERE register_id = :id AND num_nonnulls(decision, owner_id, due_on, note) > 0`
)
const clearTables = [
  'partner_register_case_rows',
  'partner_register_case_orders',
  'partner_register_cases',
].map((table) =>
  statement<object, { registerId: number }>(
    `register_clear_${table}`,
    `DELETE FROM ${table} WHERE register_id = :registerId`
  )
)
/** Deletes the cases of a register, and which rows and orders stand in them. */
export async function clearMatches(registerId: number, trx: TransactionClientContract) {
  for (const clear of clearTables) await clear({ registerId }, trx)
}
/** Cases with their rows and orders, which refer to cases by `place`. By columns: PostgreSQL takes arrays faster than JSON. */
const insertBatch = statement<object, CaseColumns & { registerId: number }>(
  'register_insert_cases',
  `WITH cases AS (
     INSERT INTO partner_register_cases
       (register_id, place, key, category, step, is_suggested, sales_tenge, refunds_tenge, total_tenge, refunded_tenge, why,
        meant_order_id, decision, decided_by, decided_at, owner_id, due_on, note, version)
     SELECT :registerId, c.*, decision, decided_by, decided_at, owner_id, due_on, note, coalesce(version, 0) + 1
       FROM unnest(:place::integer[], :key::text[], :category::text[], :step::text[], :isSuggested::boolean[],
              :salesTenge::bigint[], :refundsTenge::bigint[], :totalTenge::bigint[], :refundedTenge::bigint[], :why::jsonb[],
              :meantOrderId::text[]) AS c (place)
       LEFT JOIN jsonb_to_recordset(:decisions::jsonb)
         AS d (place integer, decision text, decided_by text, decided_at timestamptz, owner_id integer, due_on date, note text,
               version integer) ON d.place = c.place
     RETURNING id, place),
   rows AS (
     INSERT INTO partner_register_case_rows (register_id, line, case_id, is_suggested)
     SELECT :registerId, line, id, is_suggested
       FROM unnest(:line::integer[], :placeOfLine::integer[], :isLineSuggested::boolean[]) AS r (line, place, is_suggested)
       JOIN cases USING (place))
   INSERT INTO partner_register_case_orders (register_id, order_id, case_id, status, total_tenge, refunded_tenge)
   SELECT :registerId, order_id, id, status, total_tenge, refunded_tenge
     FROM unnest(:orderId::text[], :placeOfOrder::integer[], :orderStatus::text[], :orderTenge::bigint[], :orderRefundedTenge::bigint[])
       AS o (order_id, place, status, total_tenge, refunded_tenge) JOIN cases USING (place)`
)
const countPlaced = statement<
  Record<'rows' | 'placed' | 'tenge' | 'judged', bigint>,
  { registerId: number }
>(
  'register_count_placed',
  `SELECT count(*) AS rows, coalesce(sum(amount_tenge - returned_tenge), 0)::bigint AS tenge,
          (SELECT count(*) FROM partner_register_case_rows WHERE register_id = :registerId) AS placed,
          (SELECT coalesce(sum(sales_tenge - refunds_tenge), 0)::bigint FROM partner_register_cases WHERE register_id = :registerId) AS judged
     FROM partner_register_rows WHERE register_id = :registerId`
)
const updateMatched = statement<
  object,
  { id: number; totals: string; feeRules: string; coversSales: boolean; coversRefunds: boolean }
>(
  'register_set_matched',
  `UPDATE partner_registers SET state = 'matched', totals = :totals, fee_rules = :feeRules, covers_sales = :coversSales,
          covers_refunds = :coversRefunds, matched_at = clock_timestamp(), version = version + 1 WHERE id = :id`
)

/** From here on a register changes the tables' statistics, which the evidence for the rules relies on. */
const MANY = 10_000
const analyse = statement(
  'register_analyse_cases',
  "SELECT analyse_tables('partner_register_cases', 'partner_register_case_rows', 'partner_register_case_orders')"
)

/** Replaces the cases of a register; decisions stay with cases of the same rows and orders. */
export async function saveMatches(
  { id, partnerId, version, sheet }: PartnerRegister,
  matcher: Matcher,
  { cases: count, totals, feeRules, covers }: MatchSummary,
  { signal, progress }: Pick<RunContext, 'signal' | 'progress'>
) {
  await transaction(async (trx) => {
    await allowLongWrites(trx)
    await lockRegister({ registerId: id, version }, 'match', trx)
    const kept = await selectKept({ id }, trx)
    const decisions = new Map(kept.map((one) => [one.key, one]))
    await clearMatches(id, trx)
    await writeBatches({
      count,
      size: BATCH,
      load: (from, size) => matcher.casesFrom(from, size),
      progress,
      prepare: (batch, from) => ({
        registerId: id,
        ...columnsOf(batch, { from, decisions, sheet }),
      }),
      write: (batch) => insertBatch(batch, trx),
    })
    await explainForeignOrders({ id, partnerId }, trx)
    await assertComplete(id, totals, trx)
    if (count > MANY) await analyse({}, trx)
    const found = { id, totals: toJson(totals), feeRules: toJson(feeRules) }
    await updateMatched({ ...found, coversSales: covers.sales, coversRefunds: covers.refunds }, trx)
  }, signal)
}

/** A case that is no suggestion any more needs no decision. */
const UNDECIDED = { decision: null, decided_by: null, decided_at: null }

interface BatchContext {
  /** Place of the batch's first case. */
  from: number
  sheet: string | null
  decisions: ReadonlyMap<string, KeptDecision>
}

type CaseColumns = ReturnType<typeof columnsOf>

/** A batch of cases, their rows, their orders, and what people have decided about them. */
function columnsOf(batch: readonly StoredCase[], { from, decisions, sheet }: BatchContext) {
  const cases = batch.map((judged, n) => ({
    ...judged,
    place: from + n,
    key: keyOf(judged, sheet),
    isSuggested: judged.rows.some((row) => row.isSuggested),
  }))
  const rows = cases.flatMap(({ rows: own, place }) => own.map((row) => ({ ...row, place })))
  const orders = cases.flatMap(({ orders: own, place }) =>
    own.map((order) => ({ ...order, place }))
  )
  const decided = cases.flatMap(({ key, place, isSuggested }) => {
    const kept = decisions.get(key)
    return kept ? [{ ...kept, ...(isSuggested ? {} : UNDECIDED), place }] : []
  })
  return {
    place: cases.map(({ place }) => place),
    key: cases.map(({ key }) => key),
    category: cases.map(({ category }) => category),
    step: cases.map(({ step }) => step),
    isSuggested: cases.map(({ isSuggested }) => isSuggested),
    salesTenge: cases.map(({ compared }) => compared.salesTenge),
    refundsTenge: cases.map(({ compared }) => compared.refundsTenge),
    totalTenge: cases.map(({ compared }) => compared.totalTenge),
    refundedTenge: cases.map(({ compared }) => compared.refundedTenge),
    why: cases.map(({ why }) => JSON.stringify(why)),
    meantOrderId: cases.map(({ meantOrderId }) => meantOrderId),
    line: rows.map(({ line }) => line),
    placeOfLine: rows.map(({ place }) => place),
    isLineSuggested: rows.map((row) => row.isSuggested),
    orderId: orders.map(({ orderId }) => orderId),
    placeOfOrder: orders.map(({ place }) => place),
    orderStatus: orders.map(({ status }) => status),
    orderTenge: orders.map(({ totalTenge }) => totalTenge),
    orderRefundedTenge: orders.map(({ refundedTenge }) => refundedTenge),
    decisions: JSON.stringify(decided),
  }
}

/** Checks the stored rows: each is in a case, and the sums of rows, cases and totals are equal. */
async function assertComplete(
  registerId: number,
  totals: MatchTotals,
  trx: TransactionClientContract
) {
  const { rows, placed, tenge, judged } = await countPlaced.one({ registerId }, trx)
  const categories = Object.values(totals)
  const counted = BigInt(sumNumbers(categories, (category) => category.rows))
  const summed = sumTenge(categories, (category) => category.rowsTenge)
  const isComplete = rows === placed && rows === counted && tenge === judged && tenge === summed
  if (!isComplete)
    throw new Error(
      `Register ${registerId}: ${rows} rows of ${tenge} ₸, but ${placed} and ${counted} in cases of ${judged} and ${summed} ₸`
    )
}

/** A case's key: hash of its rows, with their money, and orders, so that decisions survive another matching of the same. */
function keyOf({ rows, orders }: StoredCase, sheet: string | null) {
  const lines = rows
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, amountTenge, returnedTenge }) => [line, amountTenge, returnedTenge].join(' '))
  const ids = orders.map(({ orderId }) => orderId).toSorted()
  return createHash('sha256')
    .update(`${sheet ?? ''}|${lines.join(',')}|${ids.join(',')}`)
    .digest('base64url')
}
