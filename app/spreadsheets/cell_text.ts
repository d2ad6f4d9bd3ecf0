import type { RawCell } from '#spreadsheets/table_source'

export const INVISIBLE = /[\u200B-\u200F\u2060\uFEFF]/g
export const DASHES = /[\u2010-\u2015\u2212]/g

/** Fast path for texts that need no change, which nearly all of half a million cells are. */
const IS_PLAIN = /^[!-~А-яЁё]+(?: [!-~А-яЁё]+)*$/
const HAS_SUBSTANCE = /[!-~А-яЁё]/

/** Text with one kind of space, dash and digit, so that patterns match only those. */
export function plainText(text: string): string {
  if (IS_PLAIN.test(text)) return text
  // NFKC would write № as two letters.
  const normal = text
    .split('№')
    .map((part) => part.normalize('NFKC'))
    .join('№')
  const plain = normal.replaceAll(INVISIBLE, '').replaceAll(DASHES, '-')
  return plain.replaceAll(/\s+/g, ' ').trim()
}

export function isBlank(cell: RawCell | undefined): boolean {
  if (typeof cell !== 'string') return cell === null || cell === undefined
  return !HAS_SUBSTANCE.test(cell) && plainText(cell) === ''
}

/** The cell's visible text; empty for a blank cell. */
export function cellText(cell: RawCell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : clockText(cell)
  return plainText(String(cell))
}

/** A date in a cell has no zone: it is the sheet's own clock, `2026-09-30 14:05:00`. At midnight it is a day. */
const clockText = (at: Date) =>
  at.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '')
