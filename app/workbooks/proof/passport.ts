import { keyed } from '#workbooks/sheets/row_code'
import { ROWS_PER_SHEET } from '#workbooks/sheets/sheet'
import { LANGUAGES, type Language } from '#shared/languages'

/** What a book says of itself, for machines: one line on its sheet of checks. */
export interface Passport {
  version: number
  language: Language
  partner: string
  /** Null for a draft. */
  statementId: number | null
  from: Date
  to: Date
  asOf: Date
  /** How many files it lies in. */
  files: number
  /** Of which a sheet goes on in another file. */
  rowsPerSheet: number
  dataSha256: string
  defectsSha256: string
}

const FIRST = 'settlement-book'

export const passportLine = (said: Passport) =>
  [
    FIRST,
    said.version,
    said.language,
    said.partner,
    said.statementId ?? 'draft',
    ...[said.from, said.to, said.asOf].map((at) => at.toISOString()),
    said.files,
    said.dataSha256,
    said.defectsSha256,
    said.rowsPerSheet,
  ].join(' ')

export const isPassport = (cell: unknown): cell is string =>
  typeof cell === 'string' && cell.startsWith(`${FIRST} `)

/** Null for a line that no book of ours has. */
export function readPassport(line: string): Passport | null {
  const [, version, language, partner, statement, from, to, asOf, ...sizes] = line.split(' ')
  // Books of before it was said were split as is usual.
  const [files, data, defects, rowsPerSheet = String(ROWS_PER_SHEET), ...rest] = sizes
  const known = LANGUAGES.find((one) => one === language)
  const [first, last, read] = [from, to, asOf].map((at) => new Date(at))
  const isWhole =
    known !== undefined &&
    rest.length === 0 &&
    [version, files].every((count) => /^[1-9]\d{0,3}$/.test(count ?? '')) &&
    /^[1-9]\d{0,6}$/.test(rowsPerSheet) &&
    /^(draft|[1-9]\d{0,8})$/.test(statement ?? '') &&
    [first, last, read].every((at) => !Number.isNaN(at.getTime())) &&
    [data, defects].every((sum) => /^[0-9a-f]{64}$/.test(sum ?? ''))
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
    dataSha256: data,
    defectsSha256: defects,
  }
}

/** Under our key: that these rows stand in a book that we have written with this passport. */
export const sealOf = (passport: string, sums: Readonly<Partial<Record<string, string>>>) =>
  keyed(
    'settlement-book',
    [
      passport,
      ...Object.keys(sums)
        .sort()
        .map((key) => sums[key]),
    ].join('|')
  )
