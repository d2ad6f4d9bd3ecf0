import { ID_OF_SOURCE } from '#defects/facts/own_payment_ids'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import { readCasesToKeep, readOrdinaryCases } from '#register_evidence/read_cases'
import { ordersOf, type ShownCase } from '#register_evidence/kept_cases'
import { judgeAgainWhatChanged } from '#register_evidence/judged_sources'
import { salesOfDays } from '#register_evidence/kept_registers'
import { spellingsOf } from '#register_evidence/payment_ids'
import { shownByCase } from '#register_evidence/shown_by_case'
import { toJson } from '#shared/to_json'
import { foldId } from '#register_reading/read_id'
import { allowLongWrites } from '#shared/long_queries'
import { sumNumbers } from '#shared/sums'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Raised whenever something else is worked out of a register (`shown_by_case.ts`): the next check then does all of them again. */
const FORM = 5
/** SQL: whether what is kept as `k` was worked out by this form, and by what is said of the source `s` now. */
const IS_CURRENT = 'k.form = :form AND k.payment_ids_were = s.payment_ids_are'
/** Places of cases that are read at once. */
const BATCH = 5_000

const selectUnkept = statement<{ id: number; places: number }, { partnerId: number; form: number }>(
  'register_evidence_unkept',
  `SELECT r.id, (SELECT coalesce(max(place), -1) + 1 FROM partner_register_cases WHERE register_id = r.id) AS places
     FROM partner_registers r JOIN register_sources s ON s.id = r.source_id
    WHERE r.partner_id = :partnerId AND r.state = 'confirmed'
      AND NOT EXISTS (SELECT 1 FROM partner_register_kept_evidence k WHERE k.register_id = r.id AND ${IS_CURRENT})
    ORDER BY r.id`
)
// The second of two at once waits for the first, and then does nothing.
const insertKept = statement<{ registerId: number }, { registerId: number; form: number }>(
  'register_evidence_keep',
  `INSERT INTO partner_register_kept_evidence (register_id, form, cases, payment_ids_were)
   SELECT r.id, :form, 0, s.payment_ids_are
     FROM partner_registers r JOIN register_sources s ON s.id = r.source_id WHERE r.id = :registerId
   ON CONFLICT DO NOTHING RETURNING register_id AS "registerId"`
)
const dropOutdated = statement<object, { registerId: number; form: number }>(
  'register_evidence_drop_outdated',
  `WITH outdated AS (
     DELETE FROM partner_register_kept_evidence k USING partner_registers r, register_sources s
      WHERE k.register_id = :registerId AND r.id = k.register_id AND s.id = r.source_id AND (${IS_CURRENT}) IS NOT TRUE
     RETURNING k.register_id),
   cases AS (DELETE FROM partner_register_evidence e USING outdated WHERE e.register_id = outdated.register_id RETURNING e.case_id),
   payments AS (DELETE FROM partner_register_named_payments p USING outdated WHERE p.register_id = outdated.register_id)
   DELETE FROM partner_register_evidence_keys k USING cases WHERE k.case_id = cases.case_id`
)
// Rows that were not paid are no charges. A late payment is named by a confirm that was refused, a second one by a repeat.
const countKept = statement<object, { registerId: number; cases: number; missingOrders: number }>(
  'register_evidence_count',
  `WITH charges AS (
     SELECT EXISTS (SELECT 1 FROM orders o WHERE o.payment_external_id = w.payment_id AND o.partner_id = r.partner_id)
         OR EXISTS (SELECT 1 FROM confirm_attempts a
                     WHERE a.external_payment_id = w.payment_id AND a.partner_id = r.partner_id
                       AND (a.http_status <> 200 OR a.names_other_payment) AND a.signature_valid) AS is_named
       FROM partner_register_rows w JOIN partner_registers r ON r.id = w.register_id
      WHERE w.register_id = :registerId AND w.kind = 'sale' AND w.payment_id IS NOT NULL AND NOT w.is_not_paid)
   UPDATE partner_register_kept_evidence k
      SET cases = :cases, missing_orders = :missingOrders, charges_with_id = c.charges, charges_with_id_of_confirms = c.named
     FROM (SELECT count(*) AS charges, count(*) FILTER (WHERE is_named) AS named FROM charges) c
    WHERE k.register_id = :registerId`
)
const analyse = statement(
  'register_evidence_analyse',
  "SELECT analyse_tables('partner_register_evidence', 'partner_register_evidence_keys', 'partner_register_named_payments')"
)
/** From here on a register changes the tables' statistics. */
const MANY = 1_000
const insertCases = statement<
  object,
  {
    id: number[]
    registerId: number[]
    place: number[]
    isDiffering: boolean[]
    shown: string[]
  }
>(
  'register_evidence_insert_cases',
  `INSERT INTO partner_register_evidence (case_id, register_id, place, is_differing, shown)
   SELECT id, register_id, place, is_differing, shown::json
     FROM unnest(:id::integer[], :registerId::integer[], :place::integer[], :isDiffering::boolean[], :shown::text[])
       AS c (id, register_id, place, is_differing, shown)`
)
const insertKeys = statement<
  object,
  {
    partnerId: number
    caseId: number[]
    kind: string[]
    key: string[]
    at: (Date | null)[]
    orderId: (string | null)[]
  }
>(
  'register_evidence_insert_keys',
  `INSERT INTO partner_register_evidence_keys (partner_id, case_id, kind, key, at)
   SELECT :partnerId, case_id, kind, key, coalesce(k.at, o.created_at)
     FROM unnest(:caseId::integer[], :kind::text[], :key::text[], :at::timestamptz[], :orderId::text[])
       AS k (case_id, kind, key, at, order_id) LEFT JOIN orders o ON o.id = k.order_id`
)
const insertNamedPayments = statement<object, { registerId: number }>(
  'register_evidence_insert_named_payments',
  `INSERT INTO partner_register_named_payments (register_id, payment_id, order_id)
   SELECT DISTINCT w.register_id, named.payment_id, o.id
     FROM partner_register_rows w
     JOIN partner_registers r ON r.id = w.register_id
     JOIN register_sources s ON s.id = r.source_id
    CROSS JOIN LATERAL (SELECT ${ID_OF_SOURCE} AS payment_id) named
     JOIN partner_register_case_rows l ON l.register_id = w.register_id AND l.line = w.line
     JOIN partner_register_case_orders co ON co.case_id = l.case_id
     JOIN orders o ON o.id = co.order_id
    WHERE w.register_id = :registerId AND named.payment_id IS NOT NULL AND named.payment_id IS DISTINCT FROM o.payment_external_id`
)
// Ids of orders of ours are folded as they are. Which of the cases are ordinary is seen when they are read.
const selectSharingOrders = statement<
  { id: number },
  { partnerId: number; registerId: number; orderIds: string[] }
>(
  'register_evidence_sharing_orders',
  `WITH sharing AS (
     SELECT case_id AS id FROM partner_register_case_orders WHERE order_id = ANY(:orderIds::text[])
      UNION
     SELECT co.case_id
       FROM partner_register_case_orders co
       JOIN partner_register_evidence_keys k ON k.key = co.order_id AND k.kind = 'order' AND k.partner_id = :partnerId
      WHERE co.register_id = :registerId)
   SELECT id FROM sharing WHERE NOT EXISTS (SELECT 1 FROM partner_register_evidence WHERE case_id = sharing.id)`
)
const raiseKept = statement<object, { registerId: number; cases: number }>(
  'register_evidence_raise_kept',
  'UPDATE partner_register_kept_evidence SET cases = cases + :cases WHERE register_id = :registerId'
)

/**
 * Works out once what each newly confirmed register of a partner shows: keeps the cases that differ from our orders and ordinary ones
 * of the same orders (others are read when something leads to them), and counts how its payment ids compare with those of confirms by
 * then. Where that changes how a source is judged, asks for a check of its days.
 */
export async function keepEvidence(partnerId: number, signal?: AbortSignal) {
  for (const { id, places } of await selectUnkept({ partnerId, form: FORM }))
    await transaction(async (trx) => {
      await allowLongWrites(trx)
      // Two registers at once would not see each other's cases.
      await takeTurn(`register evidence ${partnerId}`, trx)
      await dropOutdated({ registerId: id, form: FORM }, trx)
      if (!(await insertKept.first({ registerId: id, form: FORM }, trx))) return
      let kept = 0
      let missingOrders = 0
      const orderIds = new Set<string>()
      for (let from = 0; from < places; from += BATCH) {
        const found = await readCasesToKeep({ registerId: id, from, to: from + BATCH }, trx)
        const cases = found.map((one) => ({ ...one, ...shownByCase(one) }))
        await insert(partnerId, cases, trx)
        kept += cases.length
        for (const orderId of cases.flatMap(ordersOf)) orderIds.add(orderId)
        missingOrders += await countMissing(cases, trx)
      }
      await insertNamedPayments({ registerId: id }, trx)
      await countKept({ registerId: id, cases: kept, missingOrders }, trx)
      if (kept > MANY) await analyse({}, trx)
      await keepOrdinaryOfSameOrders({ partnerId, registerId: id, orderIds: [...orderIds] }, trx)
    }, signal)
  await transaction((trx) => judgeAgainWhatChanged(partnerId, trx), signal)
}

/**
 * Keeps ordinary cases with an order of a kept case, where the one or the other is of this register, whose kept cases are of `orderIds`:
 * whoever reads a kept case need not look for ordinary ones of its orders.
 *
 * Example: the shop's register is confirmed, then the bank's
 *   shop's register   order A as we have it      ordinary: not kept
 *   bank's register   order A with another sum   differs: kept, and the shop's case of A with it
 */
async function keepOrdinaryOfSameOrders(
  register: { partnerId: number; registerId: number; orderIds: string[] },
  trx: TransactionClientContract
) {
  const { partnerId } = register
  const sharing = await selectSharingOrders(register, trx)
  const ids = sharing.map(({ id }) => id)
  const ordinary = await readOrdinaryCases(partnerId, ids, trx)
  const cases = ordinary.map((one) => ({ ...one, ...shownByCase(one) }))
  await insert(partnerId, cases, trx)
  for (const [id, own] of Map.groupBy(cases, (one) => one.registerId))
    await raiseKept({ registerId: id, cases: own.length }, trx)
}

/** Orders that the register has to show, and does not. */
async function countMissing(cases: ShownCase[], trx: TransactionClientContract) {
  const ifOfDays = cases.flatMap(({ registerId, missingIfOfDays }) =>
    missingIfOfDays.map((orderId) => ({ registerId, orderId }))
  )
  const ofDays = await salesOfDays(ifOfDays, trx)
  return ofDays.length + sumNumbers(cases, ({ missing }) => missing.length)
}

async function insert(partnerId: number, cases: ShownCase[], trx: TransactionClientContract) {
  if (cases.length === 0) return
  const shown = cases.map(({ ours, unknown, rows, missing, missingIfOfDays }) =>
    toJson({ ours, unknown, rows, missing, missingIfOfDays })
  )
  await insertCases(
    {
      id: cases.map(({ id }) => id),
      registerId: cases.map(({ registerId }) => registerId),
      place: cases.map(({ place }) => place),
      isDiffering: cases.map(({ isDiffering }) => isDiffering),
      shown,
    },
    trx
  )
  const keys = cases.flatMap(keysOf)
  await insertKeys(
    {
      partnerId,
      caseId: keys.map(({ caseId }) => caseId),
      kind: keys.map(({ kind }) => kind),
      key: keys.map(({ key }) => key),
      at: keys.map(({ at }) => at),
      orderId: keys.map(({ orderId }) => orderId),
    },
    trx
  )
}

interface Key {
  caseId: number
  kind: 'order' | 'payment'
  key: string
  at: Date | null
  /** Of ours: it is found by when it was made. */
  orderId: string | null
}

function keysOf({ id: caseId, ours, unknown, rows, missing, missingIfOfDays }: ShownCase): Key[] {
  const ofOurs = [...new Set([...ours, ...missing, ...missingIfOfDays])].map((orderId) => {
    return { caseId, kind: 'order', key: foldId(orderId), at: null, orderId } as const
  })
  const ofUnknown = [...new Set(unknown.map(foldId))].flatMap((key) => {
    const charges = rows.filter(
      (row) => row.kind === 'charge' && row.unknown !== null && foldId(row.unknown) === key
    )
    const moments = charges.map(({ shownAt }) => new Date(shownAt))
    const times = moments.length > 0 ? moments : [null]
    return times.map((at) => ({ caseId, kind: 'order', key, at, orderId: null }) as const)
  })
  const payments = new Set(rows.flatMap(({ paymentId }) => (paymentId === null ? [] : paymentId)))
  const ofPayments = [...payments]
    .filter((paymentId) => !isPlaceholder(paymentId))
    .flatMap(spellingsOf)
    .map((key) => ({ caseId, kind: 'payment', key, at: null, orderId: null }) as const)
  return [...ofOurs, ...ofUnknown, ...ofPayments]
}
