import { MOVEMENT_KINDS } from '#ledger/movements'
import { ALL_SHEETS } from '#workbooks/sheets/all'
import type { PrintedTexts } from '#workbooks/sheets/sheet'
import type { Words } from '#workbooks/words/words'
import type { Workbook } from '#spreadsheets/workbook'

/** Writes the meaning of every column and code, and its name in the partner API. */
export async function writeDictionary(
  book: Workbook,
  words: Words,
  { header, footer }: PrintedTexts
) {
  const sheet = await book.sheet({
    name: words.sheets.dictionary,
    header,
    footer,
    columns: [
      { key: 'sheet', heading: words.sheetName, width: 18, kind: 'text' },
      { key: 'column', heading: words.column, width: 44, kind: 'text', wrap: true },
      { key: 'code', heading: words.columnCode, width: 30, kind: 'id' },
      { key: 'api', heading: words.apiField, width: 36, kind: 'id' },
      { key: 'meaning', heading: words.meaning, width: 76, kind: 'text', wrap: true },
    ],
  })
  const meanings: Record<string, string | undefined> = words.meanings
  for (const { key: of, columns } of ALL_SHEETS)
    for (const { key, api, kind } of columns)
      if (kind !== 'formula')
        await sheet.row([words.sheets[of], words.columns[key], key, api ?? null, meanings[key]])
  for (const kind of MOVEMENT_KINDS)
    await sheet.row([words.codesTitle, words.kinds[kind], kind.toUpperCase(), null, null])
  for (const [code, name] of Object.entries(words.defects))
    await sheet.row([words.codesTitle, name, code, null, null])
  for (const note of [words.signNote, words.zoneNote, words.sumsNote])
    await sheet.row([words.notes, null, null, null, note])
  await sheet.close()
}
