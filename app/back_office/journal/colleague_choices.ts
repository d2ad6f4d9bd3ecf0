import type { Colleague } from '#back_office/journal/journal_props'
import { statement } from '#shared/statement'

/** All staff, also those who have left: what they did is still in the journal. */
export const colleagueChoices = statement<Colleague>(
  'back_office_colleague_choices',
  'SELECT id, full_name AS name, email FROM staff ORDER BY full_name, id'
)

export const emailOfColleague = statement<{ email: string }, { staffId: number }>(
  'back_office_colleague_email',
  'SELECT email FROM staff WHERE id = :staffId'
)
