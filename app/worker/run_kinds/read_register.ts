import AskForRun from '#runs/ask_for_run/ask_for_run'
import { RegisterReader } from '#register_reading/register_reader'
import {
  assertReachable,
  changeOf,
  findRegister,
  type PartnerRegister,
} from '#reconciliation/store/find_register'
import { storedRegisterPath } from '#reconciliation/store/register_file'
import {
  assertSameColumns,
  filesOf,
  partsOf,
  type RegisterPart,
} from '#reconciliation/store/register_parts'
import { findSource, readingOf } from '#reconciliation/store/register_source'
import { saveRows, type Reader } from '#reconciliation/store/save_rows'
import type { ControlReport } from '#register_reading/control_figures'
import { startReader } from '#register_reading/register_reader'
import type { RunBody, RunContext } from '#runs/run_body'
import { sumNumbers } from '#shared/sums'
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
    if (!(error instanceof UnreadablePart)) throw error
    return { result: await keepProblem(register, error), files: [], hasCommitted: true }
  }
}
export default readRegister

/** Files above this size are read on a thread of their own. */
const LARGE_BYTES = 300_000

async function read(register: PartnerRegister, context: RunContext) {
  const files = filesOf(await partsOf(register))
  const bytes = sumNumbers(files, (file) => file.bytes)
  if (bytes <= LARGE_BYTES) return readWith(new RegisterReader(), register, context)
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
  const { preview, mapping, linesGiven } = register
  const { headerLine, headers } = preview
  const reading = readingOf(await findSource(register.sourceId), register)
  await reader.open({ headerLine, headers, mapping: mapping!, reading }, linesGiven)
  for (const part of await partsOf(register)) {
    await startPart(reader, register, part)
    for (let isOver = false; !isOver;) {
      signal.throwIfAborted()
      const at = await reader.readSome(ROWS_BETWEEN_LOOKS)
      if (at.unreadable) throw new UnreadablePart(part.number, at.unreadable)
      progress({ phase: 'reading', rowsDone: at.rowsDone, rowsTotal: 0 })
      isOver = at.isOver
    }
  }
  const summary = await reader.finish(declaredOf(register))
  await saveRows(register, reading, reader, summary, { signal, progress })
  return summary.control
}

async function startPart(reader: Reader, register: PartnerRegister, part: RegisterPart) {
  const { number, sheet, sha256, headerLine, rowsAre, firstLine } = part
  const path = await storedRegisterPath({ id: register.id, sha256 }).catch((error: unknown) => {
    throw error instanceof UnreadableTable ? new UnreadablePart(number, error) : error
  })
  const columnOrder = assertSameColumns(register, part)
  const declared = declaredOf(part)
  const shape = { number, headerLine, columnOrder, rowsAre, firstLine, declared }
  await reader.startPart({ path, sheet, part: shape })
}

const declaredOf = ({
  declaredRows: count,
  declaredTenge: sumTenge,
}: Pick<RegisterPart, 'declaredRows' | 'declaredTenge'>) => ({
  ...(count !== null && { count }),
  ...(sumTenge !== null && { sumTenge }),
})

class UnreadablePart extends UnreadableTable {
  constructor(
    readonly part: number,
    { problem, place }: Pick<UnreadableTable, 'problem' | 'place'>
  ) {
    super(problem, place)
  }
}

/** Stores a problem that is deep in the file, beyond the preview. */
async function keepProblem(
  { id, version }: PartnerRegister,
  { part, problem, place }: UnreadablePart
) {
  const { line = null, column = null } = place
  const found = { problem, line, column, ...(part > 1 && { part }) }
  await transaction((trx) => setProblem({ id, version, problem: JSON.stringify(found) }, trx))
  return { registerId: id, ...found }
}
