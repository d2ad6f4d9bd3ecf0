import { isRowCode } from '#workbooks/sheets/row_code'
import type { DataRow } from '#workbooks/sheets/sheet'
import { WORDS } from '#workbooks/words/words'
import { DAY_MS } from '#shared/days'
import { storable } from '#shared/storable'

export type Answer = 'accepted' | 'disputed' | 'returned'

/** A row of the defects sheet with a partner's answer. */
export interface AnswerRow {
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

export type AnswerProblemCode =
  /** The row code does not match: the row was changed, or is not ours. */
  | 'row_changed'
  | 'no_answer'
  | 'unknown_answer'
  | 'wrong_day'
  /** `returned` without a refund date or number. */
  | 'no_refund'
  | 'too_long'
  /** An earlier row answers the same defect. */
  | 'twice'

export interface AnswerProblem {
  line: number
  problem: AnswerProblemCode
  defectId: number | null
}

const MAX_LENGTHS = { refundNumber: 100, answerComment: 2_000 } as const
const FIRST_DAY = Date.parse('2020-01-01T00:00:00Z')

/** The answers' names in every language, normalized as typed text is. */
const ANSWER_BY_TEXT = new Map(
  Object.values(WORDS).flatMap(({ answers }) =>
    Object.entries(answers).map(([answer, text]) => [normalize(text), answer as Answer] as const)
  )
)

export const isUnanswered = ({ answer, refundOn, refundNumber, answerComment }: DataRow) =>
  [answer, refundOn, refundNumber, answerComment].every((cell) => textOf(cell) === null)

/** Reads one answered row, or the first problem with it. */
export function parseAnswer(row: DataRow, line: number): AnswerRow | AnswerProblem {
  const defectId = Number(row.defectId)
  const refuse = (problem: AnswerProblemCode) => ({
    line,
    problem,
    defectId: Number.isSafeInteger(defectId) ? defectId : null,
  })
  if (!isRowCode(row, textOf(row.rowCode) ?? '')) return refuse('row_changed')
  const typed = textOf(row.answer)
  if (typed === null) return refuse('no_answer')
  const answer = ANSWER_BY_TEXT.get(normalize(typed))
  if (!answer) return refuse('unknown_answer')
  const refundOn = dayOf(row.refundOn)
  if (refundOn === undefined) return refuse('wrong_day')
  const [refundNumber, comment] = [row.refundNumber, row.answerComment]
    .map(textOf)
    .map((text) => text && storable(text))
  if (answer === 'returned' && !refundOn && !refundNumber) return refuse('no_refund')
  const isLong =
    (refundNumber?.length ?? 0) > MAX_LENGTHS.refundNumber ||
    (comment?.length ?? 0) > MAX_LENGTHS.answerComment
  if (isLong) return refuse('too_long')
  const [caseId, code] = [Number(row.caseId), String(row.code)]
  return { defectId, caseId, code, answer, refundOn, refundNumber, comment, line }
}

function normalize(text: string) {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

function textOf(cell: DataRow[string]): string | null {
  if (cell === null || cell === undefined) return null
  const text = cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
  return text.trim() || null
}

/** A day from a date cell or a text (5.11.2026, 2026-11-05); null for an empty cell, undefined for anything else. */
function dayOf(cell: DataRow[string]): string | null | undefined {
  if (textOf(cell) === null) return null
  const at = cell instanceof Date ? cell.getTime() : writtenDay(String(cell))
  // Local time is ahead of UTC by less than a day.
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
