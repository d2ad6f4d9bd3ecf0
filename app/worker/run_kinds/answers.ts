import ApplyAnswers, { type AnswerOutcome } from '#returned_workbooks/answers/apply_answers'
import type { RunBody } from '#runs/run_body'
import { uploadPath } from '#runs/uploads'
import { readAnswers, type AnswerRow } from '#returned_workbooks/answers/read_answers'

/** Lines of the result that the run's page lists. */
const MAX_LINES = 500

/** Reads a partner's answers from the sheet of defects and, unless it is a dry run, applies them. */
const takeAnswers: RunBody<'answers'> = async (params, context) => {
  const { signal, actor } = context
  const { partnerCode, isDryRun } = params
  const progressOf = (phase: string) => (rowsDone: number, rowsTotal: number) =>
    context.progress({ phase, rowsDone, rowsTotal })
  const path = await uploadPath(params)
  const onRead = progressOf('reading_answers')
  const read = await readAnswers(path, { signal, onProgress: (rows) => onRead(rows, 0) })
  if ('unusable' in read) return { result: { ...read }, files: [], hasCommitted: false }
  const { answers, problems } = read
  const onProgress = progressOf('taking_answers')
  const outcomes = await new ApplyAnswers().handle({
    partnerCode,
    answers,
    actor,
    isDryRun,
    signal,
    onProgress,
  })
  return { result: resultOf(answers, outcomes, problems), files: [], hasCommitted: !isDryRun }
}
export default takeAnswers

function resultOf(answers: AnswerRow[], outcomes: AnswerOutcome[], problems: { line: number }[]) {
  const counts = { new: 0, known: 0, gone: 0, no_such: 0 }
  for (const { outcome } of outcomes) counts[outcome]++
  const byLine = new Map(answers.map((answer) => [answer.line, answer]))
  const lines = outcomes.map((outcome) => ({ ...byLine.get(outcome.line), ...outcome }))
  return {
    counts,
    problemCount: problems.length,
    lines: lines.slice(0, MAX_LINES),
    problems: problems.slice(0, MAX_LINES),
  }
}
