import { partOf, type Package } from '#spreadsheets/reading/workbook_parts'
import { readXml } from '#spreadsheets/reading/xml'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

const MAX_STRINGS = 2_000_000
const MAX_LETTERS = 100 * 1024 * 1024

/** The shared strings of a workbook, which cells refer to by index. */
export async function readSharedStrings(pack: Package, part: string | undefined) {
  const strings: string[] = []
  if (part === undefined || !pack.directory.has(part)) return strings
  const text = new RichText()
  let letters = 0
  await readXml(partOf(pack, part), {
    open: (name) => text.open(name),
    text: (piece) => text.add(piece),
    close(name) {
      text.close(name)
      if (name !== 'si') return
      const string = text.take()
      letters += string.length
      const isTooMuch = letters > MAX_LETTERS || strings.length >= MAX_STRINGS
      if (isTooMuch) throw new UnreadableTable('zip_bomb')
      strings.push(string)
    },
  })
  return strings
}

/** Collects the `<t>` runs of a text; phonetic hints (`<rPh>`) are left out. */
export class RichText {
  #text = ''
  #isInText = false
  #isPhonetic = false

  open(name: string) {
    if (name === 'rPh') this.#isPhonetic = true
    if (name === 't') this.#isInText = true
  }

  add(piece: string) {
    if (this.#isInText && !this.#isPhonetic) this.#text += piece
  }

  close(name: string) {
    if (name === 'rPh') this.#isPhonetic = false
    if (name === 't') this.#isInText = false
  }

  take() {
    const text = unescaped(this.#text)
    this.#text = ''
    return text
  }
}

/** Decodes Excel's `_xHHHH_`; control characters stay encoded. */
export function unescaped(text: string) {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (whole, code: string) => {
    const letter = String.fromCharCode(Number.parseInt(code, 16))
    return /[\p{Cc}\p{Cs}]/u.test(letter) && !/[\t\n\r]/.test(letter) ? whole : letter
  })
}
