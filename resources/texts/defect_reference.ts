import type { DefectReference } from '#finance/cases/cases_props'
import type { Language } from '~/texts/texts'

type References = Partial<Record<string, DefectReference>>

const loaders: Record<Language, () => Promise<{ default: References }>> = {
  ru: () => import('../lang/ru/defect_reference.json'),
  kk: () => import('../lang/kk/defect_reference.json'),
  en: () => import('../lang/en/defect_reference.json'),
}

/** Too much text to load with every page: it is fetched when somebody opens it. */
export async function loadDefectReference(language: Language): Promise<References> {
  const { default: references } = await loaders[language]()
  return references
}
