import { partnerByCode } from '#partners/queries/find_partner'
import {
  type CheckProgress,
  type CheckResult,
  type ComparedVerdict,
  type Successor,
  type NotOursReason,
  Differences,
  storedHashes,
  storedPassport,
} from '#returned_workbooks/check/check_result'
import { comparePage, hashPage } from '#returned_workbooks/check/compare_pages'
import { compareRows, hashRows, type Comparison } from '#returned_workbooks/check/compare_rows'
import {
  comparableDefects,
  FORMER_SHEETS,
  FORMER_VERSION,
  formerDefects,
} from '#returned_workbooks/check/former_format'
import { formerWords } from '#returned_workbooks/check/former_words'
import { openBooks, type Book } from '#returned_workbooks/check/open_books'
import {
  readStatedPassport,
  type StatedPassport,
} from '#returned_workbooks/check/read_stated_passport'
import { WORKBOOK_VERSION } from '#workbooks/document/document'
import { isSealOf, type Passport } from '#workbooks/proof/passport'
import { ALL_SHEETS } from '#workbooks/sheets/all'
import { defects } from '#workbooks/sheets/defects'
import type { DataSheet } from '#workbooks/sheets/sheet'
import { HASHED_PAGES, WORDS, type SheetKey } from '#workbooks/words/words'
import type { StatementRef } from '#ledger/queries/find_statement'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import type { WrittenWorkbook } from '#workbooks/writing/workbook_writer'
import { UnreadableTable, type Problem } from '#spreadsheets/read_table'
import { statement } from '#shared/statement'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type { CheckProgress, CheckResult, Difference } from '#returned_workbooks/check/check_result'

export interface CheckOptions {
  /** The partner that the workbook must belong to; any by default. */
  partnerCode?: string
  signal?: AbortSignal
  onProgress?: (progress: CheckProgress) => void
}

interface ClosedStatement extends StatementRef {
  from: Date
  to: Date
  isWithdrawn: boolean
  supersededBy: StatementRef | null
}
const selectStatements = statement<ClosedStatement, { partnerId: number; from: Date; to: Date }>(
  'settlement_check_statements',
  `SELECT s.id, s.number, s.period_from AS "from", s.period_to AS "to", s.status = 'superseded' AS "isWithdrawn",
          (SELECT json_build_object('id', n.id, 'number', n.number) FROM settlement_statements n
            WHERE n.supersedes_id = s.id) AS "supersededBy"
     FROM settlement_statements s
    WHERE s.partner_id = :partnerId AND s.period_from < :to AND s.period_to > :from ORDER BY s.period_from, s.number`
)

/**
 * Checks a workbook or archive that came back: writes the same document again, in its language, and compares both.
 * Sorted rows, moved columns and the partner's own entries are no differences.
 *
 * Example: a partner sorts the orders and raises one total from 12,000 to 13,000.
 * Verdict `differs` with one difference: that cell, inFile 13000, isTrue 12000. Sorted only: `identical`.
 */
export async function checkWorkbook(
  path: string,
  options: CheckOptions = {}
): Promise<CheckResult> {
  const directory = await mkdtemp(join(tmpdir(), 'settlement-check-'))
  try {
    return await checked(path, directory, options)
  } catch (error) {
    if (error instanceof UnreadableTable) return notOurs('unreadable', error.problem)
    throw error
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function checked(path: string, directory: string, options: CheckOptions) {
  const given = await openBooks(path, join(directory, 'given'), options.signal)
  const stated = await readStatedPassport(given)
  if (!stated) return notOurs('no_passport')
  const { passport } = stated
  if (options.partnerCode !== undefined && options.partnerCode !== passport.partner)
    return notOurs('other_partner')
  const partner = await partnerByCode.first({ code: passport.partner })
  if (!partner) return notOurs('no_such_partner')
  const closed = await selectStatements({
    partnerId: partner.id,
    from: passport.from,
    to: passport.to,
  })
  if (passport.statementId !== null && !closed.some((one) => isStated(one, passport)))
    return notOurs('no_such_statement')
  if (![WORKBOOK_VERSION, FORMER_VERSION].includes(passport.version)) return ofOtherFormat(passport)
  if (given.length < passport.files) return notOurs('in_files')
  const written = await writeAgain(join(directory, 'present.xlsx'), passport, options)
  const present = await openBooks(written.path, join(directory, 'present'), options.signal)
  return compareBooks({ given, present, written }, stated, closed, options)
}

const isStated = ({ id, from, to }: ClosedStatement, passport: Passport) =>
  id === passport.statementId && +from === +passport.from && +to === +passport.to

const notOurs = (why: NotOursReason, problem: Problem | null = null): CheckResult => ({
  verdict: 'not_ours',
  why,
  problem,
})

const ofOtherFormat = (passport: Passport): CheckResult => ({
  verdict: 'outdated',
  claim: storedPassport(passport),
  by: { kind: 'newer_format', version: WORKBOOK_VERSION },
  isSealed: false,
  count: 0,
  differences: [],
  present: null,
})

function writeAgain(path: string, passport: Passport, { signal, onProgress }: CheckOptions) {
  const { partner: partnerCode, from, to, statementId, language, rowsPerSheet } = passport
  const scope = statementId === null ? { from, to } : { statementId }
  const onRows = ({ sheet, rowsDone }: { sheet: string; rowsDone: number }) =>
    onProgress?.({ phase: 'writing', sheet, rowsDone })
  return writeSettlementWorkbook({
    path,
    partnerCode,
    scope,
    language,
    rowsPerSheet,
    signal,
    onProgress: onRows,
  })
}

interface Books extends Pick<Comparison, 'given' | 'present'> {
  written: WrittenWorkbook
}

async function compareBooks(
  { given, present, written }: Books,
  { passport, line, seal }: StatedPassport,
  closed: ClosedStatement[],
  { signal, onProgress }: CheckOptions
): Promise<CheckResult> {
  const words = WORDS[passport.language]
  const isFormer = passport.version === FORMER_VERSION
  const givenWords = isFormer ? formerWords(passport.language) : words
  const differences = new Differences()
  const onRows = (sheet: string, rowsDone: number) => {
    if (rowsDone % 2_000 === 0) onProgress?.({ phase: 'comparing', sheet, rowsDone })
  }
  const compared: Comparison = { given, present, words, givenWords, differences, signal, onRows }
  const sheetHashes: Partial<Record<SheetKey, string>> = {}
  const isIn = (books: readonly Book[], sheet: string) =>
    books.some(({ sheets }) => sheets.includes(sheet))
  const isThere = (key: SheetKey) => {
    const sheet = words.sheets[key]
    if (isIn(given, givenWords.sheets[key])) return true
    if (isIn(present, sheet)) differences.add({ kind: 'sheet_missing', sheet })
    return false
  }
  for (const key of HASHED_PAGES)
    if (isThere(key)) sheetHashes[key] = await (isFormer ? hashPage : comparePage)(key, compared)
  for (const sheet of isFormer ? FORMER_SHEETS : ALL_SHEETS)
    if (isThere(sheet.key)) sheetHashes[sheet.key] = await compareSheet(sheet, compared, isFormer)

  const isSealed = isSealOf(seal, line, sheetHashes)
  return {
    ...verdictOf({ passport, isSealed, count: differences.count }, closed, written),
    claim: storedPassport(passport),
    isSealed,
    count: differences.count,
    differences: differences.first,
    present: storedHashes(written),
  }
}

/** Returns the hash of the sheet in the file. */
async function compareSheet(sheet: DataSheet, compared: Comparison, isFormer: boolean) {
  if (!isFormer || sheet.key !== defects.key) return compareRows(sheet, compared)
  await compareRows(comparableDefects, compared)
  return hashRows(formerDefects, compared)
}

function verdictOf(
  { passport, isSealed, count }: { passport: Passport; isSealed: boolean; count: number },
  closed: ClosedStatement[],
  { fixedDataSha256 }: WrittenWorkbook
): { verdict: ComparedVerdict; by: Successor | null } {
  const { statementId } = passport
  const isFormer = passport.version === FORMER_VERSION
  // Not all of a former book is compared: the seal alone proves the rest.
  if (!isSealed && (count > 0 || isFormer)) return { verdict: 'differs', by: null }
  // What a statement fixes stays the same for ever, also of a withdrawn one.
  if (statementId !== null && isSealed && passport.fixedDataSha256 !== fixedDataSha256)
    return { verdict: 'data_changed', by: null }
  const standing =
    statementId === null ? closingStatements(closed) : replacementOf(statementId, closed)
  if (standing) return { verdict: 'superseded', by: standing }
  if (isFormer)
    return { verdict: 'outdated', by: { kind: 'newer_format', version: WORKBOOK_VERSION } }
  if (count === 0) return { verdict: 'identical', by: null }
  return statementId === null
    ? { verdict: 'superseded', by: { kind: 'newer_data' } }
    : { verdict: 'outdated', by: { kind: 'newer_judgement' } }
}

function closingStatements(closed: ClosedStatement[]): Successor | null {
  const statements = closed
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .map(({ id, number }) => ({ id, number }))
  return statements.length > 0 ? { kind: 'statements', statements } : null
}

function replacementOf(statementId: number, closed: ClosedStatement[]): Successor | null {
  const stated = closed.find(({ id }) => id === statementId)
  if (!stated?.isWithdrawn) return null
  const { supersededBy } = stated
  return supersededBy ? { kind: 'replaced', statements: [supersededBy] } : { kind: 'withdrawn' }
}
