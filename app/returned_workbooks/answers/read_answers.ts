import {
  parseAnswer,
  isUnanswered,
  type AnswerProblem,
  type AnswerRow,
} from '#returned_workbooks/answers/answer_row'
import { formerWords } from '#returned_workbooks/check/former_words'
import { BOOK_LIMITS } from '#returned_workbooks/check/open_books'
import type { DataRow } from '#workbooks/sheets/sheet'
import { WORDS, type Words } from '#workbooks/words/words'
import { LANGUAGES } from '#shared/languages'
import { listSheets, readTable, UnreadableTable, type Problem } from '#spreadsheets/read_table'

export type { AnswerProblem, AnswerRow } from '#returned_workbooks/answers/answer_row'

export interface AnswersRead {
  answers: AnswerRow[]
  /** The lines that cannot be applied; the others can. */
  problems: AnswerProblem[]
}

export type AnswersFile =
  | AnswersRead
  /** No workbook, or one without our defects sheet. */
  | { unusable: 'unreadable' | 'no_sheet'; problem: Problem | null }
  /** Columns are missing that identify rows. */
  | { unusable: 'columns_missing'; columns: string[] }

/** A guard: no partner answers more rows. */
const MAX_ANSWERS = 50_000

const KEY_COLUMNS = ['defectId', 'caseId', 'code', 'orderId', 'exposure', 'rowCode'] as const
const ANSWER_COLUMNS = ['answer', 'refundOn', 'refundNumber', 'answerComment'] as const
const COLUMNS = [...KEY_COLUMNS, ...ANSWER_COLUMNS]

type Readable = Pick<Words, 'sheets' | 'columns'>
/** Workbooks of the former format come back too. Where a sheet kept its name, so did the columns that are read. */
const READABLE: readonly Readable[] = LANGUAGES.flatMap((language) => [
  WORDS[language],
  formerWords(language),
])

export interface ReadAnswersOptions {
  signal?: AbortSignal
  onProgress?: (rows: number) => void
}

/** Reads a partner's answers from the defects sheet, in any language and order. */
export async function readAnswers(
  path: string,
  options: ReadAnswersOptions = {}
): Promise<AnswersFile> {
  try {
    const names = await listSheets(path, BOOK_LIMITS)
    const words = READABLE.find(({ sheets }) => names.includes(sheets.defects))
    if (!words) return { unusable: 'no_sheet', problem: null }
    return await readSheet(path, words, options)
  } catch (error) {
    if (error instanceof UnreadableTable) return { unusable: 'unreadable', problem: error.problem }
    throw error
  }
}

async function readSheet(
  path: string,
  { sheets, columns: headings }: Readable,
  { signal, onProgress }: ReadAnswersOptions
): Promise<AnswersFile> {
  const table = await readTable(path, BOOK_LIMITS, { sheet: sheets.defects })
  const read: AnswersRead = { answers: [], problems: [] }
  const seen = new Set<number>()
  let places: [key: (typeof COLUMNS)[number], at: number][] | null = null
  let rows = 0
  for await (const { line, cells } of table.rows) {
    signal?.throwIfAborted()
    if (!places) {
      places = COLUMNS.map((key) => [key, cells.indexOf(headings[key])])
      const missing = places.filter(([, at]) => at === -1)
      const columns = missing.map(([key]) => headings[key])
      if (columns.length > 0) return { unusable: 'columns_missing', columns }
      continue
    }
    if (++rows % 2_000 === 0) onProgress?.(rows)
    const row: DataRow = Object.fromEntries(places.map(([key, at]) => [key, cells[at] ?? null]))
    if (isUnanswered(row)) continue
    const found = parseAnswer(row, line)
    if ('problem' in found) read.problems.push(found)
    else if (seen.has(found.defectId))
      read.problems.push({ line, problem: 'twice', defectId: found.defectId })
    else read.answers.push(found)
    if ('answer' in found) seen.add(found.defectId)
    if (seen.size > MAX_ANSWERS) throw new UnreadableTable('too_many_rows', { line })
  }
  return read
}
