import AskForRun from '#runs/ask_for_run/ask_for_run'
import { parseRegister } from '#reconciliation/reading/parse_register'
import type { RawRow } from '#reconciliation/reading/raw_row'
import {
  assertReachable,
  changeOf,
  findRegister,
  type PartnerRegister,
} from '#reconciliation/store/find_register'
import { storedRegisterPath } from '#reconciliation/store/register_file'
import { saveRows } from '#reconciliation/store/save_rows'
import type { RunBody, RunContext } from '#runs/run_body'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { readTable, UnreadableTable } from '#spreadsheets/read_table'

const ROWS_BETWEEN_LOOKS = 1_000

const setProblem = statement<object, { id: number; version: number; told: string }>(
  'register_set_problem',
  `UPDATE partner_registers SET problem = :told, state = 'mapped', control = NULL, totals = NULL, version = version + 1
    WHERE id = :id AND version = :version`
)

/** Reads a register by its mapping, and has it matched when it was read to its end. */
const readRegister: RunBody<'read_register'> = async ({ registerId }, context) => {
  const register = await findRegister(registerId)
  assertReachable(register, 'read')
  try {
    const parsed = await parse(register, context)
    await saveRows(register, parsed, context)
    const { rowsIn, unparseable } = parsed.control
    const { runId: matchRun } = await new AskForRun().handle({
      kind: 'match_register',
      partnerCode: register.partnerCode,
      params: { registerId },
      language: context.language,
      actor: context.actor,
      after: changeOf({ ...register, version: register.version + 1 }),
    })
    return { result: { registerId, rows: rowsIn, unparseable, matchRun }, files: [] }
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    return { result: await keepProblem(register, error), files: [] }
  }
}
export default readRegister

async function parse(register: PartnerRegister, context: RunContext) {
  const { sheet, preview, mapping, declaredRows: count, declaredTenge: sumTenge } = register
  const source = await readTable(
    await storedRegisterPath(register),
    {},
    { sheet: sheet ?? undefined }
  )
  const { headerLine, headers } = preview
  const shape = { headerLine, headers, mapping: mapping! }
  const declared = { ...(count !== null && { count }), ...(sumTenge !== null && { sumTenge }) }
  return parseRegister(watched(source.rows, context), shape, declared)
}

async function* watched(rows: AsyncIterable<RawRow>, { signal, progress }: RunContext) {
  let rowsDone = 0
  for await (const row of rows) {
    if (rowsDone++ % ROWS_BETWEEN_LOOKS === 0) {
      signal.throwIfAborted()
      progress({ phase: 'reading', rowsDone, rowsTotal: 0 })
    }
    yield row
  }
}

/** Deep in the file, where its beginning said nothing of it. */
async function keepProblem({ id, version }: PartnerRegister, { problem, place }: UnreadableTable) {
  const { line = null, column = null } = place
  const told = { problem, line, column }
  await transaction((trx) => setProblem({ id, version, told: JSON.stringify(told) }, trx))
  return { registerId: id, ...told }
}
