const LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
const RUSSIAN = 'ёйцукенгшщзхъфывапролджэячсмитьбю'
/** The Kazakh layout has letters where others have digits. */
const DIGITS = '234589' + '0-='
const KAZAKH = 'әіңғүұ' + 'қөһ'

const pairs = (from: string, to: string) => [...from].map((key, at) => [key, to[at]] as const)

const TO_LATIN = new Map([...pairs(RUSSIAN, LATIN), ...pairs(KAZAKH, DIGITS), ['"', '@'] as const])
const TO_RUSSIAN = new Map(pairs(LATIN, RUSSIAN))
const TO_KAZAKH = new Map([...TO_RUSSIAN, ...pairs(DIGITS, KAZAKH)])

function typedBy(layout: ReadonlyMap<string, string>, text: string) {
  const letters = [...text].map((letter) => {
    const lower = letter.toLowerCase()
    const typed = layout.get(lower) ?? lower
    return letter === lower ? typed : typed.toUpperCase()
  })
  return letters.join('')
}

/**
 * What the same keys would have written in another keyboard layout.
 *
 * Example: `ЕШЧ-7` is `TIX-7`, `fqu8k` is `айг8л` in the Russian and `айгүл` in the Kazakh layout
 */
export function inOtherLayouts(text: string): string[] {
  const layouts = /\p{Script=Cyrillic}/u.test(text) ? [TO_LATIN] : [TO_RUSSIAN, TO_KAZAKH]
  const others = new Set(layouts.map((layout) => typedBy(layout, text)))
  others.delete(text)
  return [...others]
}
