import type { Language } from '#shared/languages'
import { en } from '#workbooks/words/en'
import { kk } from '#workbooks/words/kk'
import { ru, type Words } from '#workbooks/words/ru'

export type { Words }
export type ColumnKey = keyof Words['columns']
export type SheetKey = keyof Words['sheets']

export const WORDS: Record<Language, Words> = { ru, kk, en }
