import { checkWorkbook } from '#returned_workbooks/check/check_workbook'
import { DATA_SHEETS } from '#workbooks/sheets/all'
import { WORDS } from '#workbooks/words/words'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { zipFiles } from '#spreadsheets/zip_files'
import { DEFAULT_LIMITS, listSheets, readTable, type RawCell } from '#spreadsheets/read_table'
import { unpackPart } from '#spreadsheets/reading/zip_archive'
import { readZipDirectory } from '#spreadsheets/reading/zip_archive'
import env from '#start/env'
import { changeRows } from '#tests/support/changed_workbook'
import { fillMonth } from '#tests/support/filled_month'
import { anEvent } from '#tests/support/fixtures'
import { hasOffice, recalculated } from '#tests/support/office'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { aMonth } from '#tests/support/settlement_month'
import { test } from '@japa/runner'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'

const DAY_MS = 86_400_000
const around = () => ({
  from: new Date(Date.now() - DAY_MS),
  to: new Date(Date.now() + DAY_MS),
})
const words = WORDS.ru

async function linesOf(path: string, sheet?: string) {
  const { rows } = await readTable(path, {}, { sheet })
  const lines: RawCell[][] = []
  for await (const { cells } of rows) lines.push(cells)
  return lines
}

async function unpacked(path: string, directory: string) {
  await mkdir(directory)
  const names: string[] = []
  for (const [name, entry] of await readZipDirectory(path, DEFAULT_LIMITS)) {
    await writeFile(join(directory, name), await buffer(unpackPart(path, entry)))
    names.push(name)
  }
  return names
}

test.group('Documents of several workbooks', (group) => {
  const scratch = scratchDirectory(group)

  async function anArchive() {
    const { partner } = await aMonth()
    const scope = around()
    const asked = { partnerCode: partner.code, scope, language: 'ru' } as const
    const whole = await writeSettlementWorkbook({ ...asked, path: scratch.at('whole.xlsx') })
    const progress: number[] = []
    const written = await writeSettlementWorkbook({
      ...asked,
      path: scratch.at('book.xlsx'),
      rowsPerSheet: 10,
      hasDataCopies: true,
      onProgress: ({ rowsDone }) => void progress.push(rowsDone),
    })
    const directory = scratch.at('unpacked')
    const names = await unpacked(written.path, directory)
    return {
      asked,
      whole,
      written,
      names,
      progress,
      at: (name: string) => join(directory, name),
    }
  }

  test('rows continue in further workbooks, and an index lists the parts', async ({ assert }) => {
    const { whole, written, names, progress, at } = await anArchive()
    assert.match(written.path, /book\.zip$/)
    assert.equal(written.fixedDataSha256, whole.fixedDataSha256)
    assert.equal(written.changeableDataSha256, whole.changeableDataSha256)
    assert.deepEqual(written.rows, whole.rows)
    const parts = (key: string) => Math.max(1, Math.ceil(whole.rows[key] / 10))
    const files = DATA_SHEETS.reduce((sum, { key }) => sum + parts(key) - 1, 1)
    assert.isAbove(files, 3)
    assert.equal(written.files, files)
    assert.lengthOf(names, files + 1)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b)
    )
    assert.equal(
      progress.at(-1),
      Object.values(whole.rows).reduce((sum, rows) => sum + rows, 0)
    )

    const [headings, ...listed] = await linesOf(at('manifest.csv'))
    assert.deepEqual(headings, ['file', 'sheet', 'part', 'rows', 'sum', 'sha256'])
    for (const { key } of DATA_SHEETS) {
      const sheet = words.sheets[key]
      const ofSheet = listed.filter(([, name]) => name === sheet)
      const counted = ofSheet.reduce((sum, [, , , rows]) => sum + Number(rows), 0)
      assert.equal(counted, whole.rows[key], sheet)
      assert.lengthOf(ofSheet, parts(key), sheet)
      const rows: RawCell[][] = []
      for (const [file, , , count, , sha256] of ofSheet) {
        const sum = createHash('sha256')
          .update(await readFile(at(String(file))))
          .digest('hex')
        assert.equal(sum, sha256)
        const [, ...found] = await linesOf(at(String(file)), sheet)
        assert.lengthOf(found, Number(count))
        rows.push(...found)
      }
      const [, ...all] = await linesOf(whole.path, sheet)
      const links = (cells: RawCell[]) => cells.map((cell) => (cell === '→' ? null : cell))
      assert.deepEqual(rows.map(links), all.map(links), sheet)
    }
    const money = listed.filter(([, name]) => name === words.sheets.movements)
    const closing = money.reduce((sum, [, , , , tenge]) => sum + Number(tenge), 0)
    assert.equal(closing, Number(whole.closingTenge))
  })

  test('the first workbook has the number of parts, and its checks hold', async ({ assert }) => {
    const { written, at } = await anArchive()
    const summary = await linesOf(at('book.xlsx'), words.sheets.summary)
    const [, parts] = summary.find(([name]) => name === words.files)!
    assert.equal(parts, `${written.files} · manifest.csv`)
    const control = await linesOf(at('book.xlsx'), words.sheets.control)
    for (const [name, , , isEqual] of control)
      if (typeof isEqual === 'boolean') assert.isTrue(isEqual, String(name))
    assert.include(
      control.flat(),
      `${words.sheets.movements} (1 / ${Math.ceil(written.rows.movements / 10)})`
    )
    assert.deepInclude(await checkWorkbook(at('book.xlsx')), { why: 'in_files' })
  })

  test('all parts are compared together when they are returned', async ({ assert }) => {
    const { written, names, at } = await anArchive()
    assert.include(await checkWorkbook(written.path), { verdict: 'identical', isSealed: true })

    const pack = async (files: { name: string; path: string }[]) => {
      const path = scratch.at('again.zip')
      await zipFiles(path, files, { at: new Date() })
      return path
    }
    const found = names.map((name) => ({ name, path: at(name) }))
    const lacking = found.filter(({ name }) => !name.includes('movements_2'))
    assert.deepInclude(await checkWorkbook(await pack(lacking)), { why: 'in_files' })

    const changed = scratch.at('changed.xlsx')
    await changeRows(at('book_movements_2.xlsx'), changed, 1, ([head, first, ...rest]) => [
      head,
      ...rest,
      // Its amount, ten times as much.
      first.replace(/(<c r="H\d+"[^>]*><v>-?\d+)/, '$10'),
    ])
    const others = found.filter(({ name }) => !name.includes('movements_2'))
    const path = await pack([{ name: 'book_movements_2.xlsx', path: changed }, ...others])
    const result = await checkWorkbook(path)
    if (result.verdict === 'not_ours') throw new Error(result.why)
    const { verdict, isSealed, differences } = result
    assert.deepEqual({ verdict, isSealed }, { verdict: 'differs', isSealed: false })
    assert.lengthOf(differences, 1)
    const file = 'book_movements_2.xlsx'
    assert.containsSubset(differences, [{ kind: 'cell', sheet: words.sheets.movements, file }])
  })

  test('a foreign archive and a broken one are refused', async ({ assert }) => {
    const { written, at } = await anArchive()
    const path = scratch.at('manifest.zip')
    const list = { name: 'manifest.csv', path: at('manifest.csv') }
    await zipFiles(path, [list], { at: new Date() })
    assert.deepInclude(await checkWorkbook(path), { why: 'no_passport' })

    const bytes = await readFile(written.path)
    bytes.fill(0, 200, 400)
    await writeFile(path, bytes)
    assert.deepInclude(await checkWorkbook(path), { why: 'unreadable' })
  })

  test('another program calculates the same totals in each part', async ({ assert }) => {
    const { names, at } = await anArchive()
    for (const name of names.filter((one) => /book\.xlsx|movements_2/.test(one))) {
      const again = await recalculated(at(name), scratch.path)
      for (const sheet of await listSheets(at(name)))
        assert.deepEqual(await linesOf(again, sheet), await linesOf(at(name), sheet), sheet)
    }
  })
    .skip(!hasOffice, 'LibreOffice is not installed')
    .timeout(120_000)

  test('a sheet has at most a hundred parts, however small they are requested', async ({
    assert,
  }) => {
    await anEvent()
    const database = new pg.Client({ connectionString: env.get('DATABASE_URL') })
    await database.connect()
    const size = { partnerCode: 'many-parts', prefix: 'MP', orders: 60, ticketsPerOrder: 1 }
    const { partnerCode, from, to } = await fillMonth(database, size)
    await database.end()
    const { rows, files } = await writeSettlementWorkbook({
      partnerCode,
      scope: { from, to },
      language: 'ru',
      rowsPerSheet: 1,
      path: scratch.at('book.xlsx'),
    })
    const rowsEach = Math.ceil(rows.movements / 100)
    assert.isAbove(rowsEach, 1)
    const parts = Object.values(rows).map((count) => Math.max(1, Math.ceil(count / rowsEach)))
    assert.equal(
      files,
      parts.reduce((sum, part) => sum + part - 1, 1)
    )
  })

  test('aborted in a further workbook it leaves no file', async ({ assert }) => {
    const { partner } = await aMonth()
    const stop = new AbortController()
    const writing = writeSettlementWorkbook({
      partnerCode: partner.code,
      scope: around(),
      path: scratch.at('book.xlsx'),
      language: 'ru',
      rowsPerSheet: 10,
      hasDataCopies: true,
      signal: stop.signal,
      onProgress: ({ rowsDone }) => {
        if (rowsDone > 20) stop.abort(new Error('enough'))
      },
    })
    await assert.rejects(() => writing, 'enough')
    assert.deepEqual(await readdir(scratch.path), [])
  })
})
