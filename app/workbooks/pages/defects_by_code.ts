import { EXPOSED_PARTIES } from '#defects/facts/exposure'
import { formulaOverRows, type Document, type DefectsOfCode } from '#workbooks/document/document'
import { countCell, linkCell, tengeCell, textCell, type Page } from '#workbooks/pages/page'
import type { Words } from '#workbooks/words/words'
import { cellAs, formula } from '#spreadsheets/cells'
import type { Workbook } from '#spreadsheets/workbook'

const OPEN_STATES = ['open', 'in_work', 'with_partner']
const ENDED_STATES = ['resolved', 'dismissed']

/**
 * Writes the table of defects by code. A case's exposure counts with its gravest defect, so that the columns add up.
 * The code of each line is in a column after the printed ones.
 */
export async function writeDefectsByCode(
  page: Page,
  book: Workbook,
  document: Document,
  words: Words
) {
  const { columns } = words
  await page.line(textCell(words.defectsByCode, 'strong'), linkCell(words.sheets.defects))
  await page.figureHeadings(
    [1, 7],
    columns.name,
    columns.defects,
    columns.attempts,
    words.toBuyer,
    words.toPlatform,
    words.toPartner,
    words.open,
    words.resolved,
    columns.code
  )
  const first = page.nextRow
  for (const row of document.defectsByCode) await writeCode(page, row, document, words)
  if (document.defectsByCode.length === 0) await page.line(textCell(words.noDefects, 'muted'))
  const last = page.nextRow - 1
  const sum = (letter: string, value: bigint | number) =>
    formula(`SUM(${letter}${first}:${letter}${last})`, value)
  const all = (key: 'defects' | 'open' | 'resolved') =>
    document.defectsByCode.reduce((total, row) => total + row[key], 0)
  const money = EXPOSED_PARTIES.map((party, index) => {
    const value = document.defectsByCode.reduce((total, row) => total + row[party], 0n)
    return tengeCell(sum('DEF'[index], value), 'strong')
  })
  const total = await page.line(
    textCell(words.altogether, 'strong'),
    countCell(sum('B', all('defects')), 'strong'),
    // Counted by attempt: several defects may share one confirm.
    countCell(formulaOverRows(document, 'COUNT(att_no)', document.sheets.attempts.rows), 'strong'),
    ...money,
    countCell(sum('G', all('open')), 'strong'),
    countCell(sum('H', all('resolved')), 'strong')
  )
  book.defineName('sum_exposure', words.sheets.summary, `D${total}:F${total}`)
  book.defineName('sum_open', words.sheets.summary, `G${total}`)
}

async function writeCode(page: Page, row: DefectsOfCode, document: Document, words: Words) {
  const over = (text: string, value: number | bigint) => formulaOverRows(document, text, value)
  const code = `"${row.code}"`
  const money = EXPOSED_PARTIES.map((party) => {
    return tengeCell(over(`SUMIFS(def_${party},def_code,${code})`, row[party]))
  })
  const inStates = (states: string[]) =>
    states.map((state) => `COUNTIFS(def_code,${code},def_state,"${state}")`).join('+')
  const all = `COUNTIFS(def_code,${code})`
  await page.line(
    textCell(words.defects[row.code as keyof Words['defects']] ?? row.code),
    countCell(over(all, row.defects)),
    countCell(over(`SUMIFS(def_attempts,def_code,${code})`, row.attempts)),
    ...money,
    countCell(over(inStates(OPEN_STATES), row.open)),
    countCell(over(inStates(ENDED_STATES), row.resolved)),
    cellAs('id', row.code)
  )
}
