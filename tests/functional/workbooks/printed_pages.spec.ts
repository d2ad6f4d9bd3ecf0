import { ALL_SHEETS, DATA_SHEETS } from '#workbooks/sheets/all'
import { WORDS } from '#workbooks/words/words'
import { dayFirst } from '#workbooks/document/document'
import { writeDefectList } from '#workbooks/writing/write_defect_list'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { DAY_MS, localDay, localTime, periodOfDays } from '#shared/days'
import { LANGUAGES, type Language } from '#shared/languages'
import { aSale } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { setTerms } from '#tests/support/settlement'
import { aMonth } from '#tests/support/settlement_month'
import { daysInWords } from '#tests/support/settlement_workbook'
import { test } from '@japa/runner'
import ExcelJS, { type Worksheet } from 'exceljs'

/** From two days ago until tomorrow, both included. */
const days = () => {
  const [from, to] = [-2 * DAY_MS, DAY_MS].map((ms) => localDay(new Date(Date.now() + ms)))
  return periodOfDays({ from, to })
}

async function opened(path: string) {
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(path)
  return book
}

/** The last row and the last column with a value. */
function lastCell(sheet: Worksheet) {
  let [row, column] = [1, 1]
  sheet.eachRow((line, number) =>
    line.eachCell((cell, at) => {
      if (cell.value === null) return
      row = Math.max(row, number)
      column = Math.max(column, at)
    })
  )
  return { row, column }
}

const printedCells = (sheet: Worksheet) => {
  const [, letters, row] = /^A1:([A-Z]+)(\d+)$/.exec(sheet.pageSetup.printArea!)!
  return { row: Number(row), column: sheet.getColumn(letters).number }
}

test.group('Printed pages of a workbook', (group) => {
  const scratch = scratchDirectory(group)

  async function bookOf(partnerCode: string, language: Language) {
    const path = scratch.at(`${language}.xlsx`)
    const scope = days()
    await writeSettlementWorkbook({ partnerCode, scope, path, language })
    return { book: await opened(path), text: daysInWords(scope, language) }
  }

  test('every sheet prints up to its last used cell, one page wide, with page numbers', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    for (const language of LANGUAGES) {
      const words = WORDS[language]
      const { book } = await bookOf(partner.code, language)
      for (const sheet of book.worksheets) {
        const [printed, last] = [printedCells(sheet), lastCell(sheet)]
        assert.equal(printed.row, last.row, sheet.name)
        assert.isAtMost(printed.column, last.column, sheet.name)
        assert.deepInclude(sheet.pageSetup, { fitToPage: true, fitToWidth: 1 }, sheet.name)
        assert.include(sheet.headerFooter.oddFooter!, `${words.page} &P ${words.of} &N`)
      }
    }
    assert.equal(`${WORDS.ru.page} 1 ${WORDS.ru.of} 3`, 'стр. 1 из 3')
  })

  test('every page of a data sheet has its headings, its title and the period in words', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    const { book, text } = await bookOf(partner.code, 'ru')
    for (const { key } of DATA_SHEETS) {
      const sheet = book.getWorksheet(WORDS.ru.sheets[key])!
      assert.equal(sheet.pageSetup.printTitlesRow, '1:1', key)
      const header = sheet.headerFooter.oddHeader!
      assert.include(header, `&L${sheet.name}`)
      assert.include(header, WORDS.ru.title)
      assert.include(header, `&R ${text}`)
    }
    for (const key of ['summary', 'act'] as const) {
      const cells = book.getWorksheet(WORDS.ru.sheets[key])!.getSheetValues().flat()
      assert.include(cells, text, key)
    }
  })

  test('an empty sheet prints its headings and nothing else', async ({ assert }) => {
    const { partner } = await aSale()
    await setTerms(partner)
    const { book } = await bookOf(partner.code, 'ru')
    const sheet = book.getWorksheet(WORDS.ru.sheets.movements)!
    assert.equal(printedCells(sheet).row, 1)
  })

  test('the printed columns of defects have words, the codes are to the right of them', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    for (const language of LANGUAGES) {
      const words = WORDS[language]
      const { book } = await bookOf(partner.code, language)
      const sheet = book.getWorksheet(words.sheets.defects)!
      const { column: last, row: lastRow } = printedCells(sheet)
      const at = (heading: string) => (sheet.getRow(1).values as string[]).indexOf(heading)
      for (const key of ['code', 'severity', 'state', 'fault'] as const)
        assert.isAbove(at(words.columns[key]), last, key)
      assert.isAbove(lastRow, 1)
      for (let line = 2; line <= lastRow; line++) {
        const row = sheet.getRow(line)
        const textIn = (heading: string) => row.getCell(at(heading)).value as string
        const { columns } = words
        const names: [name: string, of: Record<string, string>, code: string][] = [
          [columns.name, words.defects, columns.code],
          [columns.severityName, words.severities, columns.severity],
          [columns.stateName, words.caseStates, columns.state],
          [columns.faultName, words.faults, columns.fault],
        ]
        for (const [name, of, code] of names) assert.equal(textIn(name), of[textIn(code)])
        for (let index = 1; index <= last; index++)
          assert.notMatch(String(row.getCell(index).value), /^[A-Z_]{3,}$/)
      }
    }
  })

  test('the printed summary has the names of defects, their codes are to the right of them', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    for (const language of LANGUAGES) {
      const words = WORDS[language]
      const { book } = await bookOf(partner.code, language)
      const sheet = book.getWorksheet(words.sheets.summary)!
      const { column: last, row: lastRow } = printedCells(sheet)
      const codes: string[] = []
      for (let line = 1; line <= lastRow; line++) {
        const cells = sheet.getRow(line)
        const code = cells.getCell(last + 1).value as string | null
        if (code && code !== words.columns.code) {
          codes.push(code)
          for (let index = 1; index <= last; index++)
            assert.notEqual(cells.getCell(index).value, code)
          assert.equal(cells.getCell(1).value, words.defects[code as keyof typeof words.defects])
        }
      }
      assert.isNotEmpty(codes)
    }
  })

  test('no sheet has two columns of one heading', ({ assert }) => {
    for (const { columns } of Object.values(WORDS))
      for (const sheet of ALL_SHEETS) {
        const headings = sheet.columns.map(({ key }) => columns[key])
        assert.deepEqual([...new Set(headings)], headings, sheet.key)
      }
  })

  test('no printed column of a data sheet has codes, and each column of codes has its words', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    for (const language of LANGUAGES) {
      const { book } = await bookOf(partner.code, language)
      for (const { key, columns, printedColumns } of DATA_SHEETS) {
        const sheet = book.getWorksheet(WORDS[language].sheets[key])!
        const { column: last, row: lastRow } = printedCells(sheet)
        assert.equal(last, printedColumns)
        for (const { wordsFor } of columns)
          if (wordsFor)
            assert.isAtLeast(
              columns.findIndex((column) => column.key === wordsFor),
              last,
              `${key} ${wordsFor}`
            )
        for (let line = 2; line <= lastRow; line++)
          for (const [index, { key: column }] of columns.slice(0, last).entries()) {
            const text = String(sheet.getRow(line).getCell(index + 1).value ?? '')
            // A name of places and of the category, which is the same word in every language.
            if (['sector', 'gate'].includes(column) || text === 'VIP') continue
            assert.notMatch(text, /^([A-Z_]{3,}|[a-z_]{4,})$/, `${key} ${column}`)
          }
      }
    }
  })

  test('a name that is longer than the head of a page is cut', async ({ assert }) => {
    const { partner } = await aSale()
    await setTerms(partner, { legalName: '&'.repeat(200) })
    await ownerRows('UPDATE partners SET name = ? WHERE id = ?', '&'.repeat(100), partner.id)
    const { book } = await bookOf(partner.code, 'ru')
    const { oddHeader } = book.getWorksheet(WORDS.ru.sheets.orders)!.headerFooter
    assert.isAtMost(oddHeader!.length, 255)
    assert.include(oddHeader!, '&&…')
  })

  test('the list of defects has its period, its moment and page numbers too', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    const path = scratch.at('list.xlsx')
    const scope = days()
    const text = daysInWords(scope, 'kk')
    const { readAt } = await writeDefectList({
      partnerCode: partner.code,
      scope,
      path: () => path,
      language: 'kk',
    })
    const moment = `${dayFirst(localDay(readAt))} ${localTime(readAt)}`
    const { worksheets } = await opened(path)
    for (const sheet of worksheets) {
      assert.include(sheet.headerFooter.oddHeader!, `&R ${text}`)
      assert.include(sheet.headerFooter.oddFooter!, '&P')
      assert.include(sheet.headerFooter.oddFooter!, moment)
      assert.equal(printedCells(sheet).row, lastCell(sheet).row)
    }
  })
})
