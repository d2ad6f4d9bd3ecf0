import { isPassport, readPassport, type Passport } from '#settlement/workbook/passport'
import { LANGUAGES, WORDS } from '#settlement/workbook/words/words'
import {
  listSheets,
  readTable,
  UnreadableTable,
  type Problem,
  type TableLimits,
} from '#spreadsheets/read_table'

/** Our own books are larger than what partners send. */
export const BOOK_LIMITS: Partial<TableLimits> = {
  bytes: 150 * 1024 * 1024,
  rows: 1_048_576,
  inflatedBytes: 2 * 1024 * 1024 * 1024,
}

export interface Claim {
  passport: Passport
  line: string
  seal: string | null
}

export type ClaimFound = { claim: Claim } | { problem: Problem | null }

/** What a file says that it is. */
export async function readClaim(path: string): Promise<ClaimFound> {
  try {
    const names = await listSheets(path, BOOK_LIMITS)
    for (const language of LANGUAGES) {
      const sheet = WORDS[language].sheets.control
      if (!names.includes(sheet)) continue
      const claim = await claimOn(path, sheet)
      if (claim?.passport.language === language) return { claim }
    }
    return { problem: null }
  } catch (error) {
    if (error instanceof UnreadableTable) return { problem: error.problem }
    throw error
  }
}

async function claimOn(path: string, sheet: string): Promise<Claim | null> {
  const { rows } = await readTable(path, BOOK_LIMITS, { sheet })
  let line: string | null = null
  let seal: string | null = null
  for await (const { cells } of rows) {
    line ??= cells.find(isPassport) ?? null
    const last = cells[1]
    if (line && typeof last === 'string' && /^[0-9a-f]{64}$/.test(last)) seal = last
  }
  const passport = line === null ? null : readPassport(line)
  return passport && line !== null ? { passport, line, seal } : null
}
