import { findPartner } from '#partners/queries/find_partner'
import { changeCaseWithin } from '#case_work/change_case'
import type { CaseState } from '#case_work/case_state'
import type { AnswerRow } from '#returned_workbooks/answers/read_answers'
import { WORDS } from '#workbooks/words/words'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface ApplyAnswersInput {
  partnerCode: string
  answers: readonly AnswerRow[]
  actor: Actor
  /** Only reports what would happen. */
  isDryRun: boolean
  signal?: AbortSignal
  onProgress?: (done: number, all: number) => void
}

export interface AnswerOutcome {
  line: number
  defectId: number
  caseId: number
  /** `known`: the same was answered before; `gone`: the rules no longer find the defect; `no_such`: not this partner's. */
  outcome: 'new' | 'known' | 'gone' | 'no_such'
  /** The case's state before and after. */
  from: CaseState | null
  to: CaseState | null
}

interface CaseRow {
  id: number
  key: string
  state: CaseState
}
interface DefectRow extends Pick<AnswerRow, 'refundOn' | 'refundNumber' | 'comment'> {
  id: number
  isGone: boolean
  answer: string | null
}
interface Work extends Omit<ApplyAnswersInput, 'answers'> {
  partnerId: number
}

const lockCase = statement<CaseRow, { caseId: number; partnerId: number }>(
  'settlement_answers_case',
  'SELECT id, key, state FROM settlement_cases WHERE id = :caseId AND partner_id = :partnerId FOR UPDATE'
)
const selectDefects = statement<DefectRow, { caseId: number }>(
  'settlement_answers_defects',
  `SELECT d.id, d.gone_at IS NOT NULL OR c.gone_at IS NOT NULL AS "isGone", last.answer, last.refund_on::text AS "refundOn",
          last.refund_number AS "refundNumber", last.comment
     FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id
     LEFT JOIN LATERAL (SELECT * FROM settlement_answers WHERE defect_id = d.id ORDER BY id DESC LIMIT 1) last ON true
    WHERE c.id = :caseId`
)
const insertAnswer = statement<
  object,
  {
    defectId: number
    answer: string
    refundOn: string | null
    refundNumber: string | null
    comment: string | null
    actor: string
  }
>(
  'settlement_answer_insert',
  `INSERT INTO settlement_answers (defect_id, answer, refund_on, refund_number, comment, by)
   VALUES (:defectId, :answer, :refundOn::date, :refundNumber, :comment, :actor)`
)
const insertNote = statement<object, { caseId: number; actor: string; note: string }>(
  'settlement_answer_note',
  'INSERT INTO settlement_case_notes (case_id, by, text) VALUES (:caseId, :actor, :note)'
)

/**
 * Saves a partner's answers, one transaction per case: as answers and a note, and moves the case back to work. Repeated
 * answers change nothing, so an aborted import can simply be repeated.
 */
export default class ApplyAnswers {
  async handle({ answers, ...work }: ApplyAnswersInput): Promise<AnswerOutcome[]> {
    const partner = await findPartner(work.partnerCode)
    const byCase = Map.groupBy(answers, ({ caseId }) => caseId)
    const outcomes: AnswerOutcome[] = []
    for (const [caseId, ofCase] of byCase) {
      work.signal?.throwIfAborted()
      const given = { ...work, partnerId: partner.id }
      outcomes.push(...(await transaction((trx) => applyToCase(caseId, ofCase, given, trx))))
      work.onProgress?.(outcomes.length, answers.length)
    }
    return outcomes.toSorted((one, other) => one.line - other.line)
  }
}

async function applyToCase(
  caseId: number,
  answers: readonly AnswerRow[],
  { partnerId, actor, isDryRun }: Work,
  trx: TransactionClientContract
): Promise<AnswerOutcome[]> {
  const found = await lockCase.first({ caseId, partnerId }, trx)
  const defects = found ? await selectDefects({ caseId }, trx) : []
  const judged = answers.map((answer) => ({ answer, outcome: outcomeOf(answer, defects) }))
  const fresh = judged.flatMap(({ answer, outcome }) => (outcome === 'new' ? [answer] : []))
  const from = found?.state ?? null
  const to = found && fresh.length > 0 ? stateAfter(found.state) : from
  if (found && fresh.length > 0 && !isDryRun)
    await saveAnswers(found, fresh, { partnerId, actor }, trx)
  return judged.map(({ answer: { line, defectId }, outcome }) => ({
    line,
    defectId,
    caseId,
    outcome,
    from,
    to,
  }))
}

function outcomeOf(answer: AnswerRow, defects: DefectRow[]): AnswerOutcome['outcome'] {
  const defect = defects.find(({ id }) => id === answer.defectId)
  if (!defect) return 'no_such'
  if (defect.isGone) return 'gone'
  const isKnown =
    defect.answer === answer.answer &&
    defect.refundOn === answer.refundOn &&
    defect.refundNumber === answer.refundNumber &&
    defect.comment === answer.comment
  return isKnown ? 'known' : 'new'
}

/** An answer brings an open case to work; a closed case stays closed. */
const stateAfter = (state: CaseState): CaseState =>
  state === 'open' || state === 'with_partner' ? 'in_work' : state

async function saveAnswers(
  found: CaseRow,
  answers: AnswerRow[],
  { partnerId, actor }: Pick<Work, 'partnerId' | 'actor'>,
  trx: TransactionClientContract
) {
  const { id: caseId, key, state } = found
  const note = answers.map(noteOf).join('\n')
  for (const { defectId, code, answer, refundOn, refundNumber, comment } of answers) {
    await insertAnswer(
      { defectId, answer, refundOn, refundNumber, comment, actor: actor.name },
      trx
    )
    const change = {
      case_id: caseId,
      defect_id: defectId,
      code,
      answer,
      refund_on: refundOn,
      refund_number: refundNumber,
      comment,
    }
    await record('case_answered', change, { actor, partnerId, orderId: key }, trx)
  }
  await insertNote({ caseId, actor: actor.name, note }, trx)
  const to = stateAfter(state)
  if (to !== state) await changeCaseWithin(caseId, { state: to, reason: note }, actor, trx)
}

/** The note on the case, in Russian as staff write them. */
function noteOf({ code, answer, refundOn, refundNumber, comment }: AnswerRow) {
  const { answers, columns } = WORDS.ru
  const day = refundOn?.split('-').reverse().join('.')
  const refund = [day, refundNumber && `№ ${refundNumber}`].filter(Boolean).join(' ')
  const parts = [`${columns.answer}, ${code}: ${answers[answer]}`, refund, comment]
  return parts.filter(Boolean).join(' · ')
}
