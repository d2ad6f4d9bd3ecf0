/** The languages of everything that people read. */
export const LANGUAGES = ['ru', 'kk', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
