const LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const RUSSIAN = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
/** With Shift, where that is no letter in Latin. */
const LATIN_SHIFTED = '~{}:"<>'
const RUSSIAN_SHIFTED = 'ЁХЪЖЭБЮ'
/** The Kazakh layout has letters where others have digits. */
const DIGITS = '234589' + '0-='
const KAZAKH = 'әіңғүұ' + 'қөһ'
const DIGITS_SHIFTED = '@#$%*(' + ')_+'
const KAZAKH_SHIFTED = 'ӘІҢҒҮҰ' + 'ҚӨҺ'

const pairs = (from: string, to: string) => [...from].map((key, at) => [key, to[at]] as const)

const TO_LATIN = new Map([
  ...pairs(RUSSIAN, LATIN),
  ...pairs(RUSSIAN_SHIFTED, LATIN_SHIFTED),
  ...pairs(KAZAKH, DIGITS),
  ...pairs(KAZAKH_SHIFTED, DIGITS_SHIFTED),
  ['"', '@'] as const,
])
const TO_RUSSIAN = new Map([...pairs(LATIN, RUSSIAN), ...pairs(LATIN_SHIFTED, RUSSIAN_SHIFTED)])
const TO_KAZAKH = new Map([
  ...TO_RUSSIAN,
  ...pairs(DIGITS, KAZAKH),
  ...pairs(DIGITS_SHIFTED, KAZAKH_SHIFTED),
])

function typedBy(layout: ReadonlyMap<string, string>, text: string) {
  const letters = [...text].map((letter) => {
    const lower = letter.toLowerCase()
    const own = layout.get(letter)
    if (own !== undefined || letter === lower) return own ?? letter
    return (layout.get(lower) ?? lower).toUpperCase()
  })
  return letters.join('')
}

/**
 * What the same keys would have written in another keyboard layout; nothing for a text without letters.
 *
 * Example: `ЕШЧ-7` is `TIX-7`, `fqu8k` is `айг8л` in the Russian and `айгүл` in the Kazakh layout
 */
export function inOtherLayouts(text: string): string[] {
  if (!/\p{L}/u.test(text)) return []
  const layouts = /\p{Script=Cyrillic}/u.test(text) ? [TO_LATIN] : [TO_RUSSIAN, TO_KAZAKH]
  const others = new Set(layouts.map((layout) => typedBy(layout, text)))
  others.delete(text)
  return [...others]
}
