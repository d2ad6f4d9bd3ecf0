import { statement } from '#shared/statement'

/** The language of the back office for one person. */
export const setLanguage = statement<object, { staffId: number; language: string }>(
  'staff_set_language',
  'UPDATE staff SET language = :language, updated_at = now() WHERE id = :staffId'
)
