import en from '#resources/lang/en/exports.json' with { type: 'json' }
import kk from '#resources/lang/kk/exports.json' with { type: 'json' }
import ru from '#resources/lang/ru/exports.json' with { type: 'json' }

/** The names of exported columns for people, in the second line of a file. */
export const CASE_HEADINGS = { ru: ru.cases, kk: kk.cases, en: en.cases }
export const MATCH_HEADINGS = {
  ru: ru.register_matches,
  kk: kk.register_matches,
  en: en.register_matches,
}
