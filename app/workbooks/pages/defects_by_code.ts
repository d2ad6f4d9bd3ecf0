import { formulaOverRows, type Document, type DefectsOfCode } from '#workbooks/document/document'
import { countCell, linkCell, tengeCell, textCell, type Page } from '#workbooks/pages/page'
import type { Words } from '#workbooks/words/words'
import { cellAs, formula } from '#spreadsheets/cells'
import type { Workbook } from '#spreadsheets/workbook'

const PARTIES = ['buyer', 'platform', 'partner'] as const

/** Writes the table of defects by code. A case's exposure counts with its gravest defect, so that the columns add up. */
export async function writeDefectsByCode(
  page: Page,
  book: Workbook,
  document: Document,
  words: Words
) {
  const { columns } = words
  await page.line(textCell(words.defectsByCode, 'strong'), linkCell(words.sheets.defects))
  await page.figureHeadings(
    [2, 8],
    columns.name,
    columns.code,
    columns.defects,
    columns.attempts,
    words.toBuyer,
    words.toPlatform,
    words.toPartner,
    words.open,
    words.resolved
  )
  const first = page.nextRow
  for (const row of document.defectsByCode) await writeCode(page, row, document, words)
  if (document.defectsByCode.length === 0) await page.line(textCell(words.noDefects, 'muted'))
  const last = page.nextRow - 1
  const sum = (letter: string, value: bigint | number) =>
    formula(`SUM(${letter}${first}:${letter}${last})`, value)
  const all = (key: 'defects' | 'open' | 'resolved') =>
    document.defectsByCode.reduce((total, row) => total + row[key], 0)
  const money = PARTIES.map((party, index) => {
    const value = document.defectsByCode.reduce((total, row) => total + row[party], 0n)
    return tengeCell(sum('EFG'[index], value), 'strong')
  })
  const total = await page.line(
    textCell(words.altogether, 'strong'),
    null,
    countCell(sum('C', all('defects')), 'strong'),
    // Counted by attempt: several defects may share one confirm.
    countCell(formulaOverRows(document, 'COUNT(att_no)', document.sheets.attempts.rows), 'strong'),
    ...money,
    countCell(sum('H', all('open')), 'strong'),
    countCell(sum('I', all('resolved')), 'strong')
  )
  book.defineName('sum_exposure', words.sheets.summary, `E${total}:G${total}`)
}

async function writeCode(page: Page, row: DefectsOfCode, document: Document, words: Words) {
  const over = (text: string, value: number | bigint) => formulaOverRows(document, text, value)
  const code = `"${row.code}"`
  const money = PARTIES.map((party) => {
    const ofParty = `SUMIFS(def_exposure,def_code,${code},def_party,"${party.toUpperCase()}")`
    return tengeCell(over(ofParty, row[party]))
  })
  const inState = (state: string) => `COUNTIFS(def_code,${code},def_state,"${state}")`
  const resolved = `${inState('resolved')}+${inState('dismissed')}`
  const all = `COUNTIFS(def_code,${code})`
  await page.line(
    textCell(words.defects[row.code as keyof Words['defects']] ?? row.code),
    cellAs('id', row.code),
    countCell(over(all, row.defects)),
    countCell(over(`SUMIFS(def_attempts,def_code,${code})`, row.attempts)),
    ...money,
    countCell(over(`${all}-${resolved}`, row.open)),
    countCell(over(resolved, row.resolved))
  )
}
