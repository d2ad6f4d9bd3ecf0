import { dateOf } from '~/texts/texts'

/** First and last day of [from, to). */
export const periodOf = (from: string, to: string) =>
  `${dateOf(from)} – ${dateOf(new Date(new Date(to).getTime() - 1).toISOString())}`

/** Hundredths of a percent as people write them. */
export const percent = (basisPoints: number) => `${(basisPoints / 100).toLocaleString('ru-RU')} %`
