import { rowCodeOf } from '#workbooks/sheets/row_code'
import type { DataRow } from '#workbooks/sheets/sheet'
import { WORDS } from '#workbooks/words/words'
import { storable } from '#shared/storable'

export type Answer = 'accepted' | 'disputed' | 'returned'

export interface ReadAnswer {
  defectId: number
  caseId: number
  code: string
  answer: Answer
  /** `2026-11-05` */
  refundOn: string | null
  refundNumber: string | null
  comment: string | null
  line: number
}

export type WhyNotTaken =
  /** The row code does not fit the row: something in it was changed, or it is none of ours. */
  | 'row_changed'
  | 'no_answer'
  | 'unknown_answer'
  | 'wrong_day'
  /** Money was returned, and neither a date nor a number is given. */
  | 'no_refund'
  | 'too_long'
  /** The defect was answered further up. */
  | 'twice'

export interface AnswerProblem {
  line: number
  problem: WhyNotTaken
  defectId: number | null
}

const MOST_LETTERS = { refundNumber: 100, answerComment: 2_000 } as const
const DAY_MS = 86_400_000
const FIRST_DAY = Date.parse('2020-01-01T00:00:00Z')

/** What each answer is called in every language, as it may be typed. */
const ANSWERS = new Map(
  Object.values(WORDS).flatMap(({ answers }) =>
    Object.entries(answers).map(([answer, text]) => [plain(text), answer as Answer] as const)
  )
)

export const isEmpty = ({ answer, refundOn, refundNumber, answerComment }: DataRow) =>
  [answer, refundOn, refundNumber, answerComment].every((cell) => textOf(cell) === null)

export function answerIn(row: DataRow, line: number): ReadAnswer | AnswerProblem {
  const defectId = Number(row.defectId)
  const refuse = (problem: WhyNotTaken) => ({
    line,
    problem,
    defectId: Number.isSafeInteger(defectId) ? defectId : null,
  })
  if (textOf(row.rowCode) !== rowCodeOf(row)) return refuse('row_changed')
  const said = textOf(row.answer)
  if (said === null) return refuse('no_answer')
  const answer = ANSWERS.get(plain(said))
  if (!answer) return refuse('unknown_answer')
  const refundOn = dayOf(row.refundOn)
  if (refundOn === undefined) return refuse('wrong_day')
  const [refundNumber, comment] = [row.refundNumber, row.answerComment]
    .map(textOf)
    .map((text) => text && storable(text))
  if (answer === 'returned' && !refundOn && !refundNumber) return refuse('no_refund')
  const isLong =
    (refundNumber?.length ?? 0) > MOST_LETTERS.refundNumber ||
    (comment?.length ?? 0) > MOST_LETTERS.answerComment
  if (isLong) return refuse('too_long')
  const [caseId, code] = [Number(row.caseId), String(row.code)]
  return { defectId, caseId, code, answer, refundOn, refundNumber, comment, line }
}

function plain(text: string) {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

function textOf(cell: DataRow[string]): string | null {
  if (cell === null || cell === undefined) return null
  const text = cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
  return text.trim() || null
}

/** A day of a date cell, or of text as people here write it; undefined for anything else, or what is yet to come. */
function dayOf(cell: DataRow[string]): string | null | undefined {
  if (textOf(cell) === null) return null
  const at = cell instanceof Date ? cell.getTime() : writtenDay(String(cell))
  // The latest clock of the country is ahead of ours by less than a day.
  const isPossible = at >= FIRST_DAY && at <= Date.now() + DAY_MS
  return isPossible ? new Date(at).toISOString().slice(0, 10) : undefined
}

function writtenDay(text: string) {
  const [, day, month, year] = /^\s*(\d{1,2})[./](\d{1,2})[./](\d{4})\s*$/.exec(text) ?? []
  const iso = day ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text.trim()
  const at = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? Date.parse(`${iso}T00:00:00Z`) : Number.NaN
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso)
  return isReal ? at : Number.NaN
}
