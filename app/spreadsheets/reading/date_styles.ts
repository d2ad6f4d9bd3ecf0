import { partOf, type Package } from '#spreadsheets/reading/workbook_parts'
import { readXml } from '#spreadsheets/reading/xml'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

const MAX_STYLES = 65_490
/** Formats with a number below 164 have no code in the file; these show a date or a time, in any language of Excel. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/** For each cell style, in order: whether it shows a number as a date or a time. */
export async function readDateStyles(pack: Package, part: string | undefined): Promise<boolean[]> {
  const styles: boolean[] = []
  const custom = new Map<string, boolean>()
  if (part === undefined || !pack.directory.has(part)) return styles
  let isInCellStyles = false
  await readXml(partOf(pack, part), {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') custom.set(numFmtId, showsDate(formatCode))
      if (name === 'cellXfs') isInCellStyles = true
      if (name !== 'xf' || !isInCellStyles) return
      if (styles.length >= MAX_STYLES) throw new UnreadableTable('broken_xml')
      styles.push(custom.get(numFmtId) ?? isBuiltInDate(Number(numFmtId)))
    },
    close(name) {
      if (name === 'cellXfs') isInCellStyles = false
    },
  })
  return styles
}

/** Whether a number format shows a date: it has d, m, y, h or s outside quotes, escapes, colours and conditions. */
export function showsDate(code: string) {
  if (/^general$/i.test(code)) return false
  const bare = code
    .replace(/\\.|_.|\*./g, '')
    .replace(/"[^"]*"?/g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gi, '')
  return /[dmyhs]/i.test(bare) && !/^[^dmyhs]*general/i.test(bare)
}

function isBuiltInDate(id: number) {
  return BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last)
}
