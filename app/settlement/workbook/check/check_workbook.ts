import { partnerByCode } from '#partners/queries/find_partner'
import type {
  CheckProgress,
  CheckResult,
  Successor,
  WhyNotOurs,
} from '#settlement/workbook/check/check_result'
import { comparePage, PAGES } from '#settlement/workbook/check/compare_pages'
import { compareRows, type Compared } from '#settlement/workbook/check/compare_rows'
import { Differences } from '#settlement/workbook/check/differences'
import { readClaim, BOOK_LIMITS, type Claim } from '#settlement/workbook/check/read_claim'
import { WORKBOOK_VERSION } from '#settlement/workbook/document'
import { sealOf, type Passport } from '#settlement/workbook/passport'
import { MAX_ROWS } from '#settlement/workbook/sheet'
import { DATA_SHEETS } from '#settlement/workbook/sheets/all'
import { register } from '#settlement/workbook/sheets/register'
import { WORDS, type SheetKey } from '#settlement/workbook/words/words'
import { writeSettlementWorkbook, type WrittenWorkbook } from '#settlement/workbook/write_workbook'
import { listSheets, UnreadableTable, type Problem } from '#spreadsheets/read_table'
import { statement } from '#shared/statement'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type {
  CheckProgress,
  CheckResult,
  Difference,
} from '#settlement/workbook/check/check_result'

export interface CheckOptions {
  /** Whose book it must be; by default anybody's. */
  partnerCode?: string
  signal?: AbortSignal
  onProgress?: (progress: CheckProgress) => void
}

type Closed = { id: number; number: number; from: Date; to: Date }
const selectStatements = statement<Closed>(
  'settlement_check_statements',
  `SELECT id, number, period_from AS "from", period_to AS "to" FROM settlement_statements
    WHERE partner_id = $1 AND period_from < $3 AND period_to > $2 ORDER BY period_from`
)

/**
 * Whether a workbook that comes back says what we say now. Writes the same book anew beside it, in its language, and
 * compares; rows may be sorted and columns moved, and what the partner was to fill in does not count.
 */
export async function checkWorkbook(
  path: string,
  options: CheckOptions = {}
): Promise<CheckResult> {
  const found = await readClaim(path)
  if (!('claim' in found))
    return notOurs(found.problem ? 'unreadable' : 'no_passport', found.problem)
  const { passport } = found.claim
  if (options.partnerCode !== undefined && options.partnerCode !== passport.partner)
    return notOurs('other_partner')
  const partner = await partnerByCode.first([passport.partner])
  if (!partner) return notOurs('no_such_partner')
  const closed = await selectStatements([partner.id, passport.from, passport.to])
  if (passport.statementId !== null && !closed.some((one) => isClaimed(one, passport)))
    return notOurs('no_such_statement')
  if (passport.version !== WORKBOOK_VERSION) return ofOtherFormat(passport)
  if (passport.files > 1) return notOurs('in_files')
  try {
    return await compared(path, found.claim, closed, options)
  } catch (error) {
    // A sheet may be damaged although the one of checks can be read.
    if (error instanceof UnreadableTable) return notOurs('unreadable', error.problem)
    throw error
  }
}

const isClaimed = ({ id, from, to }: Closed, passport: Passport) =>
  id === passport.statementId && +from === +passport.from && +to === +passport.to

const notOurs = (why: WhyNotOurs, problem: Problem | null = null): CheckResult => ({
  ...{ verdict: 'not_ours', why, problem },
})

const ofOtherFormat = (claim: Passport): CheckResult => ({
  ...{ verdict: 'superseded', claim, by: { kind: 'newer_format', version: WORKBOOK_VERSION } },
  ...{ isSealed: false, count: 0, differences: [], present: null },
})

async function compared(path: string, claim: Claim, closed: Closed[], options: CheckOptions) {
  const directory = await mkdtemp(join(tmpdir(), 'settlement-check-'))
  try {
    const written = await writeAnew(join(directory, 'present.xlsx'), claim.passport, options)
    return await compareBooks(path, written, claim, closed, options)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function writeAnew(path: string, claim: Passport, { signal, onProgress }: CheckOptions) {
  const { partner: partnerCode, from, to, statementId, language } = claim
  const scope = statementId === null ? { from, to } : { statementId }
  const onRows = ({ sheet, rowsDone }: { sheet: string; rowsDone: number }) =>
    onProgress?.({ phase: 'writing', sheet, rowsDone })
  return writeSettlementWorkbook({
    ...{ path, partnerCode, scope, language, signal, onProgress: onRows },
    rowsPerSheet: MAX_ROWS,
  })
}

async function compareBooks(
  file: string,
  written: WrittenWorkbook,
  claim: Claim,
  closed: Closed[],
  { signal, onProgress }: CheckOptions
): Promise<CheckResult> {
  const words = WORDS[claim.passport.language]
  const differences = new Differences()
  const onRows = (sheet: string, rowsDone: number) => {
    if (rowsDone % 2_000 === 0) onProgress?.({ phase: 'comparing', sheet, rowsDone })
  }
  const given: Compared = { file, present: written.path, words, differences, signal, onRows }
  const there = await listSheets(file, BOOK_LIMITS)
  const sums: Partial<Record<SheetKey, string>> = {}
  const isThere = (key: SheetKey) => {
    const sheet = words.sheets[key]
    if (there.includes(sheet)) return true
    differences.add({ kind: 'sheet_missing', sheet })
    return false
  }
  for (const key of PAGES) if (isThere(key)) sums[key] = await comparePage(key, given)
  for (const sheet of DATA_SHEETS)
    if (isThere(sheet.key)) sums[sheet.key] = await compareRows(sheet, given, true)
  const isPresent = written.rows[register.key] !== undefined
  if (there.includes(words.sheets.register) || (isPresent && isThere(register.key)))
    sums.register = await compareRows(register, given, isPresent)

  const isSealed = claim.seal === sealOf(claim.line, sums)
  const { dataSha256, defectsSha256 } = written
  return {
    ...verdictOf(claim.passport, isSealed, differences.count, closed),
    ...{ claim: claim.passport, isSealed, count: differences.count },
    ...{ differences: differences.first, present: { dataSha256, defectsSha256 } },
  }
}

function verdictOf(
  { statementId }: Passport,
  isSealed: boolean,
  count: number,
  closed: Closed[]
): { verdict: 'identical' | 'superseded' | 'differs'; by: Successor | null } {
  const isClosedDraft = statementId === null && closed.length > 0
  if (count > 0 && !isSealed) return { verdict: 'differs', by: null }
  if (count === 0 && !isClosedDraft) return { verdict: 'identical', by: null }
  if (statementId !== null) return { verdict: 'superseded', by: { kind: 'newer_judgement' } }
  const statements = closed.map(({ id, number }) => ({ id, number }))
  const by: Successor = isClosedDraft ? { kind: 'statements', statements } : { kind: 'newer_data' }
  return { verdict: 'superseded', by }
}
