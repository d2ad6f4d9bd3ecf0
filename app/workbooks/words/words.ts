import { en } from '#workbooks/words/en'
import { kk } from '#workbooks/words/kk'
import { ru } from '#workbooks/words/ru'

/** The same keys in every language, or it does not compile. */
export type Words = typeof ru
export type ColumnKey = keyof Words['columns']
export type SheetKey = keyof Words['sheets']

export const LANGUAGES = ['ru', 'kk', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export const WORDS: Record<Language, Words> = { ru, kk, en }
