import { BOOK_LIMITS, type Book } from '#returned_workbooks/check/open_books'
import { isPassport, readPassport, type Passport } from '#workbooks/proof/passport'
import { WORDS } from '#workbooks/words/words'
import { LANGUAGES } from '#shared/languages'
import { readTable } from '#spreadsheets/read_table'

/** The passport and seal that a file shows, not verified yet. */
export interface StatedPassport {
  passport: Passport
  line: string
  seal: string | null
}

/** Reads the passport and the seal of a document, which only its first file has. Throws `UnreadableTable`. */
export async function readStatedPassport(books: readonly Book[]): Promise<StatedPassport | null> {
  for (const book of books)
    for (const language of LANGUAGES) {
      const sheet = WORDS[language].sheets.control
      if (!book.sheets.includes(sheet)) continue
      const stated = await readFrom(book.path, sheet)
      if (stated?.passport.language === language) return stated
    }
  return null
}

async function readFrom(path: string, sheet: string): Promise<StatedPassport | null> {
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
