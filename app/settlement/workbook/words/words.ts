import { en } from '#settlement/workbook/words/en'
import { kk } from '#settlement/workbook/words/kk'
import { ru } from '#settlement/workbook/words/ru'

/** The same keys in every language, or it does not compile. */
export type Words = typeof ru
export type ColumnKey = keyof Words['columns']
export type SheetKey = keyof Words['sheets']

export const LANGUAGES = ['ru', 'kk', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export const WORDS: Record<Language, Words> = { ru, kk, en }
