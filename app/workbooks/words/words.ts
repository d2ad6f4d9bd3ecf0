import type { Language } from '#shared/languages'
import { en } from '#workbooks/words/en'
import { kk } from '#workbooks/words/kk'
import { ru, type Words } from '#workbooks/words/ru'

export type { Words }
export type ColumnKey = keyof Words['columns']
/** All sheets of a workbook: those with rows, and its pages. */
export type SheetKey = keyof Words['sheets']
export type PageKey = 'summary' | 'act' | 'control' | 'dictionary'
/** The pages that the seal covers; they are compared cell by cell. */
export const HASHED_PAGES = ['summary', 'act'] as const satisfies readonly PageKey[]
export type HashedPage = (typeof HASHED_PAGES)[number]
/** The sheets with rows of data. */
export type DataSheetKey = Exclude<SheetKey, PageKey>

export const WORDS: Record<Language, Words> = { ru, kk, en }
