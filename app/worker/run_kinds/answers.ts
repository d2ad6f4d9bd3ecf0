import ApplyAnswers, { type AnswerOutcome } from '#workbooks/answers/apply_answers'
import type { RunBody } from '#runs/run_body'
import { uploadPath } from '#runs/uploads'
import { readAnswers, type ReadAnswer } from '#workbooks/answers/read_answers'

/** More than anybody reads on a page. */
const MOST_TOLD = 500

/** What a partner has answered on the sheet of defects: told first, then taken. */
const takeAnswers: RunBody<'answers'> = async (params, context) => {
  const { signal, actor } = context
  const { partnerCode, isDryRun } = params
  const at = (phase: string) => (rowsDone: number, rowsTotal: number) =>
    context.progress({ phase, rowsDone, rowsTotal })
  const path = await uploadPath(params)
  const telling = at('reading_answers')
  const read = await readAnswers(path, { signal, onProgress: (rows) => telling(rows, 0) })
  if ('unusable' in read) return { result: { ...read }, files: [] }
  const { answers, problems } = read
  const onProgress = at('taking_answers')
  const outcomes = await new ApplyAnswers().handle({
    partnerCode,
    answers,
    actor,
    isDryRun,
    signal,
    onProgress,
  })
  return { result: told(answers, outcomes, problems), files: [] }
}
export default takeAnswers

function told(answers: ReadAnswer[], outcomes: AnswerOutcome[], problems: { line: number }[]) {
  const counts = { new: 0, known: 0, gone: 0, no_such: 0 }
  for (const { outcome } of outcomes) counts[outcome]++
  const byLine = new Map(answers.map((answer) => [answer.line, answer]))
  const lines = outcomes.map((outcome) => ({ ...byLine.get(outcome.line), ...outcome }))
  return {
    counts,
    problemCount: problems.length,
    lines: lines.slice(0, MOST_TOLD),
    problems: problems.slice(0, MOST_TOLD),
  }
}
