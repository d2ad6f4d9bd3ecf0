import { isKeyedHash, keyedHash } from '#workbooks/keyed_hash'
import { ROWS_PER_SHEET } from '#workbooks/sheets/sheet'
import type { SheetKey } from '#workbooks/words/words'
import { LANGUAGES, type Language } from '#shared/languages'

/**
 * A workbook's passport: one line on its control sheet by which a program recognises it.
 *
 * Example: settlement-book 3 ru DEMO 17 2026-08-31T19:00:00.000Z 2026-09-30T19:00:00.000Z 2026-10-02T05:00:00.000Z 1 <sha> <sha> 200000
 * is format 3, Russian, partner DEMO, statement 17, its period, the data's moment, one file, the
 * hashes of fixed and of changeable data (`proof.ts`), rows per file.
 */
export interface Passport {
  version: number
  language: Language
  partner: string
  /** Null for a draft. */
  statementId: number | null
  from: Date
  to: Date
  asOf: Date
  /** How many files the document has. */
  files: number
  /** How many rows of a sheet one file has. */
  rowsPerSheet: number
  fixedDataSha256: string
  changeableDataSha256: string
}

const PREFIX = 'settlement-book'

export const passportLine = (passport: Passport) =>
  [
    PREFIX,
    passport.version,
    passport.language,
    passport.partner,
    passport.statementId ?? 'draft',
    ...[passport.from, passport.to, passport.asOf].map((at) => at.toISOString()),
    passport.files,
    passport.fixedDataSha256,
    passport.changeableDataSha256,
    passport.rowsPerSheet,
  ].join(' ')

export const isPassport = (cell: unknown): cell is string =>
  typeof cell === 'string' && cell.startsWith(`${PREFIX} `)

/** Reads a passport line; null for a malformed one. */
export function readPassport(line: string): Passport | null {
  const [, version, language, partner, statement, from, to, asOf, ...sizes] = line.split(' ')
  // Older workbooks do not state rows per file; they have the default.
  const [files, fixedData, changeableData, rowsPerSheet = String(ROWS_PER_SHEET), ...rest] = sizes
  const known = LANGUAGES.find((one) => one === language)
  const [first, last, read] = [from, to, asOf].map((at) => new Date(at))
  const isWhole =
    known !== undefined &&
    rest.length === 0 &&
    [version, files].every((count) => /^[1-9]\d{0,3}$/.test(count ?? '')) &&
    /^[1-9]\d{0,6}$/.test(rowsPerSheet) &&
    /^(draft|[1-9]\d{0,8})$/.test(statement ?? '') &&
    [first, last, read].every((at) => !Number.isNaN(at.getTime())) &&
    [fixedData, changeableData].every((sha256) => /^[0-9a-f]{64}$/.test(sha256 ?? ''))
  if (!isWhole) return null
  return {
    version: Number(version),
    language: known,
    partner,
    from: first,
    to: last,
    asOf: read,
    statementId: statement === 'draft' ? null : Number(statement),
    files: Number(files),
    rowsPerSheet: Number(rowsPerSheet),
    fixedDataSha256: fixedData,
    changeableDataSha256: changeableData,
  }
}

type SheetHashes = Readonly<Partial<Record<SheetKey, string>>>

const PURPOSE = PREFIX

/**
 * The seal of a workbook: HMAC-SHA256 over its passport and the hashes of its sheets, in the order of their keys.
 * Only we can compute it, so a valid seal proves that we wrote the passport with these rows.
 */
export const sealOf = (passport: string, sheetHashes: SheetHashes) =>
  keyedHash(PURPOSE, sealedText(passport, sheetHashes))

const SEAL_LENGTH = 64

/** Whether the seal is that of the workbook, also of one that was written before our key was changed. */
export const isSealOf = (seal: string | null, passport: string, sheetHashes: SheetHashes) =>
  seal?.length === SEAL_LENGTH && isKeyedHash(PURPOSE, sealedText(passport, sheetHashes), seal)

const sealedText = (passport: string, sheetHashes: SheetHashes) =>
  [
    passport,
    ...Object.entries(sheetHashes)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, hash]) => hash),
  ].join('|')
