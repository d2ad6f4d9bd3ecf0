import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

const insertNote = statement<{ id: number }, { caseId: number; actor: string; text: string }>(
  'settlement_case_note',
  `INSERT INTO settlement_case_notes (case_id, by, text)
   SELECT id, :actor, :text FROM settlement_cases WHERE id = :caseId RETURNING id`
)

/** What somebody has to say on a case; it changes nothing, so that nobody's form gets stale by it. */
export default class NoteCase {
  async handle({ caseId, text, actor }: { caseId: number; text: string; actor: Actor }) {
    const noted = await insertNote.first({ caseId, actor: actor.name, text })
    if (!noted) refuse('NO_SUCH', { what: 'case' })
  }
}
