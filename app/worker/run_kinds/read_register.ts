import AskForRun from '#runs/ask_for_run/ask_for_run'
import { RegisterReader } from '#register_reading/register_reader'
import {
  assertReachable,
  changeOf,
  findRegister,
  type PartnerRegister,
} from '#reconciliation/store/find_register'
import { storedRegisterPath } from '#reconciliation/store/register_file'
import { findSource, readingOf } from '#reconciliation/store/register_source'
import { saveRows, type Reader } from '#reconciliation/store/save_rows'
import type { ControlReport } from '#register_reading/control_figures'
import { startReader } from '#register_reading/register_reader'
import type { RunBody, RunContext } from '#runs/run_body'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { UnreadableTable } from '#spreadsheets/read_table'

const ROWS_BETWEEN_LOOKS = 1_000

const setProblem = statement<object, { id: number; version: number; problem: string }>(
  'register_set_problem',
  `UPDATE partner_registers SET problem = :problem, state = 'mapped', control = NULL, totals = NULL, version = version + 1
    WHERE id = :id AND version = :version`
)

/** Reads a register by its mapping and requests its matching. */
const readRegister: RunBody<'read_register'> = async ({ registerId }, context) => {
  const register = await findRegister(registerId)
  assertReachable(register, 'read')
  try {
    const { rowsIn, unparseable } = await read(register, context)
    const { runId: matchRun } = await new AskForRun().handle({
      kind: 'match_register',
      partnerCode: register.partnerCode,
      params: { registerId },
      language: context.language,
      actor: context.actor,
      causedBy: changeOf({ ...register, version: register.version + 1 }),
    })
    return {
      result: { registerId, rows: rowsIn, unparseable, matchRun },
      files: [],
      hasCommitted: true,
    }
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    return { result: await keepProblem(register, error), files: [], hasCommitted: true }
  }
}
export default readRegister

/** Files above this size are read on a thread of their own. */
const LARGE_BYTES = 300_000

async function read(register: PartnerRegister, context: RunContext) {
  if (register.bytes <= LARGE_BYTES) return readWith(new RegisterReader(), register, context)
  const thread = startReader(context.signal)
  try {
    return await readWith(thread.remote, register, context)
  } finally {
    await thread.end()
  }
}

async function readWith(
  reader: Reader,
  register: PartnerRegister,
  { signal, progress }: RunContext
): Promise<ControlReport> {
  const { sheet, preview, mapping, declaredRows: count, declaredTenge: sumTenge } = register
  const { headerLine, headers } = preview
  const path = await storedRegisterPath(register)
  const reading = readingOf(await findSource(register.sourceId), register)
  await reader.open({ path, sheet, shape: { headerLine, headers, mapping: mapping!, reading } })
  for (let isOver = false; !isOver;) {
    signal.throwIfAborted()
    const at = await reader.readSome(ROWS_BETWEEN_LOOKS)
    if (at.unreadable) throw new UnreadableTable(at.unreadable.problem, at.unreadable.place)
    progress({ phase: 'reading', rowsDone: at.rowsDone, rowsTotal: 0 })
    isOver = at.isOver
  }
  const declared = { ...(count !== null && { count }), ...(sumTenge !== null && { sumTenge }) }
  const summary = await reader.finish(declared)
  await saveRows(register, reading, reader, summary, { signal, progress })
  return summary.control
}

/** Stores a problem that is deep in the file, beyond the preview. */
async function keepProblem({ id, version }: PartnerRegister, { problem, place }: UnreadableTable) {
  const { line = null, column = null } = place
  const found = { problem, line, column }
  await transaction((trx) => setProblem({ id, version, problem: JSON.stringify(found) }, trx))
  return { registerId: id, ...found }
}
