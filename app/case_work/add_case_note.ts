import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

const insertNote = statement<{ id: number }, { caseId: number; actor: string; text: string }>(
  'settlement_case_note',
  `INSERT INTO settlement_case_notes (case_id, by, text)
   SELECT id, :actor, :text FROM settlement_cases WHERE id = :caseId RETURNING id`
)

/** Adds a note to a case without changing its version, so that no open form becomes stale. Refuses NO_SUCH. */
export default class AddCaseNote {
  async handle({ caseId, text, actor }: { caseId: number; text: string; actor: Actor }) {
    const noted = await insertNote.first({ caseId, actor: actor.name, text })
    if (!noted) refuse('NO_SUCH', { what: 'case' })
  }
}
