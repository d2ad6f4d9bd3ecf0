import type { RegisterReader, RegisterSummary } from '#register_reading/register_reader'
import type { Remote } from '#shared/calculation_thread'
import type { ParsedRow, RowProblem } from '#register_reading/parse_row'
import { lockRegister, type PartnerRegister } from '#reconciliation/store/find_register'
import { SetupEvidence } from '#register_reading/propose_setup'
import type { RowReading } from '#register_reading/row_reading'
import { equalSalesOf, proposalsOf } from '#reconciliation/store/propose_source_setup'
import { toJson } from '#shared/to_json'
import { storable } from '#shared/storable'
import { writeBatches } from '#runs/write_batches'
import type { RunContext } from '#runs/run_body'
import { allowLongWrites } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

const BATCH = 500

const deleteCaseRows = statement<object, { id: number }>(
  'register_delete_case_rows',
  'DELETE FROM partner_register_case_rows WHERE register_id = :id'
)
export const deleteRows = statement<object, { id: number }>(
  'register_delete_rows',
  'DELETE FROM partner_register_rows WHERE register_id = :id'
)
/** By columns: PostgreSQL takes arrays faster than JSON. */
const insertRows = statement<object, RowColumns & { registerId: number }>(
  'register_insert_rows',
  `INSERT INTO partner_register_rows
     (register_id, line, order_key, order_id, payment_id, amount_tenge, fee_tenge, returned_tenge, at, precision, kind, is_not_paid,
      email, event, ticket_number, is_unparseable, problems)
   SELECT :registerId, r.*
     FROM unnest(:line::integer[], :orderKey::text[], :orderId::text[], :paymentId::text[],
            :amountTenge::bigint[], :feeTenge::bigint[], :returnedTenge::bigint[], :at::timestamptz[], :precision::text[],
            :kind::text[], :isNotPaid::boolean[], :email::text[], :event::text[], :ticketNumber::text[],
            :isUnparseable::boolean[], :problems::jsonb[]) AS r`
)
const updateRead = statement<object, { id: number; control: string }>(
  'register_set_read',
  `UPDATE partner_registers SET state = 'read', control = :control, problem = NULL, totals = NULL, matched_at = NULL,
          read_at = clock_timestamp(), version = version + 1 WHERE id = :id`
)

// Lines that were once given stay: decisions about rows are kept by them.
const numberParts = statement<object, { id: number; parts: string }>(
  'register_number_parts',
  `WITH parts AS (SELECT * FROM jsonb_to_recordset(:parts::jsonb) AS p (number integer, "firstLine" integer, "lastLine" integer)),
        numbered AS (
          UPDATE partner_register_parts p SET first_line = parts."firstLine" FROM parts
           WHERE p.register_id = :id AND p.number = parts.number)
   UPDATE partner_registers SET lines_given = greatest(lines_given, (SELECT max("lastLine") FROM parts)) WHERE id = :id`
)

/** From here on a register changes the table's statistics, which the matching that follows relies on. */
const MANY = 10_000
const analyse = statement('register_analyse_rows', "SELECT analyse_tables('partner_register_rows')")

export type Reader = RegisterReader | Remote<RegisterReader>

/** Replaces the rows of a register; decisions on its cases stay for the next matching. */
export async function saveRows(
  register: PartnerRegister,
  reading: RowReading,
  reader: Reader,
  { rows: count, ...read }: RegisterSummary,
  { signal, progress }: Pick<RunContext, 'signal' | 'progress'>
) {
  const { id, version, mapping, preview } = register
  const evidence = new SetupEvidence(mapping!, preview.headers, reading)
  await transaction(async (trx) => {
    await allowLongWrites(trx)
    await lockRegister({ registerId: id, version }, 'read', trx)
    await deleteCaseRows({ id }, trx)
    await deleteRows({ id }, trx)
    await writeBatches({
      count,
      size: BATCH,
      load: async (from, size) => {
        const rows = await reader.rowsFrom(from, size)
        evidence.add(rows)
        return rows
      },
      progress,
      prepare: (batch) => ({ registerId: id, ...columnsOf(batch) }),
      write: (batch) => insertRows(batch, trx),
    })
    if (count > MANY) await analyse({}, trx)
    const { control, parts, skipped, lines } = read
    const skippedTexts = read.skippedTexts.map((one) => ({ ...one, text: storable(one.text) }))
    const { partnerId } = register
    const equalSales = await equalSalesOf({ id, partnerId }, trx)
    const proposals = await proposalsOf(evidence, { partnerId, equalSales }, trx)
    const words = evidence.words()
    const kept = { ...control, parts, skipped, skippedTexts, lines, proposals, words }
    await updateRead({ id, control: toJson(kept) }, trx)
    await numberParts({ id, parts: toJson(parts) }, trx)
  }, signal)
}

const text = (value: string | null) => (value === null ? null : storable(value))

type RowColumns = ReturnType<typeof columnsOf>

function columnsOf(rows: readonly ParsedRow[]) {
  return {
    line: rows.map(({ line }) => line),
    orderKey: rows.map(({ orderKey }) => text(orderKey)),
    orderId: rows.map(({ orderId }) => text(orderId)),
    paymentId: rows.map(({ paymentId }) => text(paymentId)),
    amountTenge: rows.map(({ amountTenge }) => amountTenge),
    feeTenge: rows.map(({ feeTenge }) => feeTenge),
    returnedTenge: rows.map(({ returnedTenge }) => returnedTenge),
    at: rows.map(({ at }) => at && at.toISOString()),
    precision: rows.map(({ precision }) => precision),
    kind: rows.map(({ kind }) => kind),
    isNotPaid: rows.map(({ isNotPaid }) => isNotPaid),
    email: rows.map(({ email }) => text(email)),
    event: rows.map(({ event }) => text(event)),
    ticketNumber: rows.map(({ ticketNumber }) => text(ticketNumber)),
    isUnparseable: rows.map(({ isUnparseable }) => isUnparseable),
    problems: rows.map(({ problems }) => JSON.stringify(problems.map(storableProblem))),
  }
}

const storableProblem = (problem: RowProblem) => ({ ...problem, found: storable(problem.found) })
