import platform from '#config/platform'
import { cellText, DASHES, INVISIBLE, isBlank } from '#spreadsheets/cell_text'
import type { RawCell } from '#spreadsheets/read_table'
import type { Reading } from '#register_reading/reading'
import { read, unread } from '#spreadsheets/value_reading'

/**
 * Identifiers as spreadsheets damage them. `foldId` is a canonical form under which damaged and whole ones are equal.
 *
 * Example:
 *   ` ТІХ–2026–000123 ` with Cyrillic letters and long dashes   → TIX-2026-000123
 *   `tix2026000123.0`, the platform's order number without hyphens → TIX-2026-000123; other ids keep theirs
 *   `'00123.0`                                                  → 123
 *   `1.23457E+17`, an id of 18 digits with 6 of them left        → key 18:123457, for all ids of 18 digits that begin so
 */

/** A change that makes an identifier of a register equal to one of ours. */
export type IdRepair =
  | 'TRIMMED'
  | 'APOSTROPHE'
  | 'NUMBER_SIGN'
  | 'DASHES'
  | 'LOOK_ALIKES'
  | 'CASE'
  | 'DECIMAL_TAIL'
  | 'HYPHENS'
  | 'LEADING_ZEROS'
  | 'DIGITS_LOST'

const CYRILLIC = 'АВСЕНКМОРТХУІЅЈавсенкмортхуіѕј'
const LATIN = 'ABCEHKMOPTXYISJabcehkmoptxyisj'
const LOOK_ALIKES = new Map([...CYRILLIC].map((letter, i) => [letter, LATIN[i]]))
const LOOK_ALIKE = new RegExp(`[${CYRILLIC}]`, 'g')

/** An order number of the platform, also without its hyphens. */
const ORDER_NUMBER = `(${platform.prefix.toUpperCase()})[- ]?(\\d{4})[- ]?(\\d{6,})`
const HYPHENS = new RegExp(`^${ORDER_NUMBER}$`)
const DECIMAL_TAIL = new RegExp(`^(\\d+|${ORDER_NUMBER})[.,]0+$`)

/** In the order of application; each loses a little more of the text. */
const REPAIRS: readonly [IdRepair, (id: string) => string][] = [
  ['TRIMMED', (id) => id.replaceAll(INVISIBLE, '').trim()],
  ['APOSTROPHE', (id) => id.replace(/^['’‘`]\s*/, '')],
  ['NUMBER_SIGN', (id) => id.replace(/^№\s*/, '')],
  ['DASHES', (id) => id.replaceAll(DASHES, '-')],
  ['LOOK_ALIKES', (id) => id.replaceAll(LOOK_ALIKE, (letter) => LOOK_ALIKES.get(letter)!)],
  ['CASE', (id) => id.toUpperCase()],
  ['DECIMAL_TAIL', (id) => id.replace(DECIMAL_TAIL, '$1')],
  ['HYPHENS', (id) => id.replace(HYPHENS, '$1-$2-$3')],
  ['LEADING_ZEROS', (id) => id.replace(/^0+(?=\d+$)/, '')],
]

/** Excel keeps 15 digits of a number. */
const EXCEL_DIGITS = 15

/** The identifier exactly as in the file; null for a blank cell. */
export function readId(cell: RawCell | undefined): Reading<string | null> {
  if (isBlank(cell)) return read(null)
  if (typeof cell === 'string') return read(cell)
  if (typeof cell === 'number' && Number.isFinite(cell)) return read(digitsOf(cell))
  return unread('ID_UNREADABLE', cellText(cell))
}

/** A whole number beyond 2^53 is rounded: it is written with the digits that can be believed. */
const digitsOf = (id: number) =>
  Number.isInteger(id) && !Number.isSafeInteger(id)
    ? id.toExponential(EXCEL_DIGITS - 1).toUpperCase()
    : String(id)

/** Nearly all identifiers: nothing in them is trimmed or replaced. */
const NEEDS_NO_REPAIR = /^[!-&(-_a-~][!-~]*$/

/** Such as `TIX2026000123`, but not a whole order number. */
const MAY_LACK_HYPHENS = new RegExp(`^${platform.prefix}(?!-\\d{4}-\\d{6,}$)-?\\d`, 'i')

/** The canonical form: all repairs applied. */
export function foldId(id: string): string {
  const isUndamaged = NEEDS_NO_REPAIR.test(id)
  if (isUndamaged && !/^\d/.test(id) && !MAY_LACK_HYPHENS.test(id)) return id.toUpperCase()
  if (isUndamaged && /^[1-9]\d*$/.test(id)) return id
  let folded = id
  for (const [, repair] of REPAIRS) folded = repair(folded)
  return folded
}

/** The repairs that make `sent` equal to `ours`; null when they stay different. */
export function repairsBetween(sent: string, ours: string): IdRepair[] | null {
  const made: IdRepair[] = []
  let [one, other] = [sent, ours]
  for (const [name, repair] of REPAIRS) {
    if (one === other) return made
    const [nextOne, nextOther] = [repair(one), repair(other)]
    if (nextOne !== one || nextOther !== other) made.push(name)
    ;[one, other] = [nextOne, nextOther]
  }
  return one === other ? made : null
}

/** The remaining leading digits of a long number, and its original length. */
export interface LostDigits {
  length: number
  leading: string
}

/** Zeros from the 16th digit on, or where a program has rounded a number of 17 digits. */
const CUT = /^(?:\d{15}0+|\d{17}00+)$/
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/

/** Reads `1.23E+17`, and a long number whose tail a spreadsheet turned into zeros. Null for an id that is whole. */
export function lostDigitsOf(id: string): LostDigits | null {
  const folded = foldId(id)
  const [, first, rest = '', exponent] = SCIENTIFIC.exec(folded) ?? []
  if (first !== undefined) {
    const leading = (first + rest).slice(0, EXCEL_DIGITS)
    const length = Number(exponent) + 1
    return length > leading.length ? { length, leading } : null
  }
  return CUT.test(folded) ? { length: folded.length, leading: folded.slice(0, EXCEL_DIGITS) } : null
}

/** The keys that find a whole number by its first `kept` digits, cut or rounded. */
export function keysOfLostDigits(whole: string, kept: number): string[] {
  if (!/^\d+$/.test(whole) || whole.length <= kept) return []
  const cut = whole.slice(0, kept)
  const isRoundedUp = whole[kept] >= '5'
  const rounded = isRoundedUp ? String(BigInt(cut) + 1n) : cut
  const keys = rounded === cut || rounded.length > kept ? [cut] : [cut, rounded]
  return keys.map((leading) => lostDigitsKey({ length: whole.length, leading }))
}

export const lostDigitsKey = ({ length, leading }: LostDigits) => `${length}:${leading}`
