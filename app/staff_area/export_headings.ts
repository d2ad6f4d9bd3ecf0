import type { Language } from '#shared/languages'
import en from '#resources/lang/en/exports.json' with { type: 'json' }
import kk from '#resources/lang/kk/exports.json' with { type: 'json' }
import ru from '#resources/lang/ru/exports.json' with { type: 'json' }

/** The names of exported columns for people, in the second line of a file. */
export const headingsOf = <List extends keyof typeof ru>(list: List) => ({
  ru: ru[list],
  kk: kk[list],
  en: en[list],
})

/** The name of the line that adds up a file's columns. */
export const TOTAL: Record<Language, string> = { ru: ru.total, kk: kk.total, en: en.total }
