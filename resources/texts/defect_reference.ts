import type { Language } from '~/texts/texts'

/** One rule in words of accountants. The page docs/settlement-defects.md is made of the English texts. */
export interface DefectReference {
  when: string
  /** Which severity applies when, where its rule gives several. */
  severity?: string
  /** Steps of one worked example in their order. A time of day is UTC+5; other steps have a day. */
  example: { at: string; text: string }[]
  outcome: string
  action: string
  partner_answer: string
}

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
