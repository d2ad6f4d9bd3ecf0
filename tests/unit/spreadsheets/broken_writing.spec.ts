import { readdir, readFile, rmdir, symlink } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { CsvCopy } from '#spreadsheets/csv_copy'
import { JsonlCopy } from '#spreadsheets/jsonl_copy'
import { createWorkbook, Workbook, type SheetSpec } from '#spreadsheets/workbook'
import { AtomicOutput } from '#spreadsheets/writing/atomic_output'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { test } from '@japa/runner'

const PROPERTIES = { title: 'a', creator: 'b' }
const column = { key: 'text', heading: 'Текст', width: 10, kind: 'text' as const }
const SHEET: SheetSpec = { name: 'Лист', columns: [column] }
const noise = () => `${Math.random()}${Math.random()}${Math.random()}${Math.random()}`

async function fill(book: Workbook, rows = 1_000_000) {
  const sheet = await book.sheet(SHEET)
  for (let row = 0; row < rows; row++) await sheet.row([noise()])
  await sheet.close()
}

test.group('Failures while writing', (group) => {
  const scratch = scratchDirectory(group)
  const path = () => scratch.at('file')
  const isThere = async () => {
    const names = await readdir(scratch.path)
    return names.length > 0
  }

  /** A disk without room: whatever is written there fails. */
  async function fullDisk() {
    await symlink('/dev/full', scratch.at('full'))
    return new AtomicOutput(path(), scratch.at('full'))
  }

  test('a full disk stops a workbook at once and leaves no file', async ({ assert }) => {
    const book = new Workbook(await fullDisk(), PROPERTIES, {})

    await assert.rejects(() => fill(book), /ENOSPC/)
    await assert.rejects(() => book.finish(), /ENOSPC/)
    assert.isEmpty(await readdir(scratch.path))
  })

  test('a full disk at the end is reported', async ({ assert }) => {
    const book = new Workbook(await fullDisk(), PROPERTIES, {})
    await assert.rejects(async () => {
      await fill(book, 1)
      await book.finish()
    }, /ENOSPC/)

    assert.isEmpty(await readdir(scratch.path))
  })

  test('a missing directory is reported', async ({ assert }) => {
    const book = createWorkbook(scratch.at('no/such/file'), PROPERTIES)

    await assert.rejects(() => fill(book), /ENOENT/)
  })

  test('rows wait for the compression, so that none pile up', async ({ assert }) => {
    const output = new AtomicOutput(path())
    const book = new Workbook(output, PROPERTIES, {})
    const sheet = await book.sheet(SHEET)
    for (let row = 0; row < 20_000; row++) await sheet.row([noise().repeat(8)])
    const packed = output.bytes
    await sheet.close()
    const { bytes } = await book.finish()

    assert.isAbove(packed / bytes, 0.8)
  })

  test('a signal stops the work within a second', async ({ assert }) => {
    const stop = new AbortController()
    const book = createWorkbook(path(), PROPERTIES, { signal: stop.signal })
    const begun = Date.now()
    setTimeout(() => stop.abort(new Error('not wanted any more')), 100)

    await assert.rejects(() => fill(book), 'not wanted any more')
    assert.isBelow(Date.now() - begun, 1_100)
    assert.isEmpty(await readdir(scratch.path))
  })

  test('a signal stops the work between two calls too', async ({ assert }) => {
    const stop = new AbortController()
    const book = createWorkbook(path(), PROPERTIES, { signal: stop.signal })
    await fill(book, 10)
    stop.abort()

    while (await isThere()) await wait(5)
    await assert.rejects(() => book.finish(), /aborted/)
  })

  test('an abandoned workbook is removed', async ({ assert }) => {
    await (async () => {
      await using book = createWorkbook(path(), PROPERTIES)
      await fill(book, 600)
      // The file is opened while rows are written already.
      let files: string[] = []
      while (files.length === 0) {
        await wait(5)
        files = await readdir(scratch.path)
      }
    })()

    assert.isEmpty(await readdir(scratch.path))
  })

  test('a workbook abandoned before its start is removed too', async ({ assert }) => {
    for (let book = 0; book < 20; book++) {
      await createWorkbook(path(), PROPERTIES).abort()
      assert.isEmpty(await readdir(scratch.path))
    }
    await wait(20)
    assert.isEmpty(await readdir(scratch.path))
  })

  test('a finished workbook is kept when it is closed again', async ({ assert }) => {
    await (async () => {
      await using book = createWorkbook(path(), PROPERTIES)
      await fill(book, 10)
      await book.finish()
    })()

    assert.deepEqual(await readdir(scratch.path), ['file'])
  })

  test('the previous file stays until the new one is complete', async ({ assert }) => {
    await scratch.write('file', 'before')
    const book = createWorkbook(path(), PROPERTIES)
    await fill(book, 600)

    assert.equal(await readFile(path(), 'utf8'), 'before')
    await book.finish()
    assert.notEqual(await readFile(path(), 'latin1'), 'before')
  })

  test('an unwritable path leaves no file', async ({ assert }) => {
    const book = createWorkbook(path(), PROPERTIES)
    await fill(book, 1)
    const { mkdir } = await import('node:fs/promises')
    await mkdir(path())

    await assert.rejects(() => book.finish(), /EISDIR|EEXIST|ENOTEMPTY/)
    await rmdir(path())
    assert.isEmpty(await readdir(scratch.path))
  })

  test('sheets are written one at a time, and rows one after another', async ({ assert }) => {
    const book = createWorkbook(path(), PROPERTIES)
    await book.sheet(SHEET)
    await assert.rejects(() => book.sheet({ ...SHEET, name: 'Второй' }), /«Лист» is still open/)

    const other = createWorkbook(path(), PROPERTIES)
    const sheet = await other.sheet(SHEET)
    const rows = Array.from({ length: 501 }, () => sheet.row(['a']))
    await assert.rejects(() => Promise.all(rows), /wait for it/)
    assert.isEmpty(await readdir(scratch.path))
  })

  test('a closed sheet accepts no rows, and a finished workbook no sheets', async ({ assert }) => {
    const book = createWorkbook(path(), PROPERTIES)
    const sheet = await book.sheet(SHEET)
    await sheet.close()
    await book.finish()

    await assert.rejects(() => book.sheet({ ...SHEET, name: 'Второй' }), /finished/)
    await assert.rejects(() => sheet.row(['a']))
    assert.deepEqual(await readdir(scratch.path), ['file'])
  })

  test('sheet names must differ by more than letter case', async ({ assert }) => {
    const book = createWorkbook(path(), PROPERTIES)
    await fill(book, 1)

    await assert.rejects(() => book.sheet({ ...SHEET, name: 'ЛИСТ' }), /already/)
  })

  test('a workbook without sheets is refused', async ({ assert }) => {
    await assert.rejects(() => createWorkbook(path(), PROPERTIES).finish(), /needs a sheet/)
    assert.isEmpty(await readdir(scratch.path))
  })

  test('a signal stops lines and leaves no file', async ({ assert }) => {
    for (const open of [csv, jsonl]) {
      const stop = new AbortController()
      const row = open(stop.signal)
      setTimeout(() => stop.abort(new Error('enough')), 50)

      await assert.rejects(async () => {
        for (;;) await row(noise())
      }, 'enough')
      assert.isEmpty(await readdir(scratch.path))
    }
  })

  test('unwritable lines leave no file', async ({ assert }) => {
    const copy = new CsvCopy(path(), [column])
    await copy.row(['a'])

    await assert.rejects(() => copy.row([5]), /Column text: a number is not text/)
    await assert.rejects(() => copy.finish(), /Column text/)
    assert.isEmpty(await readdir(scratch.path))
  })

  function csv(signal: AbortSignal) {
    const copy = new CsvCopy(path(), [column], signal)
    return (text: string) => copy.row([text])
  }

  function jsonl(signal: AbortSignal) {
    const copy = new JsonlCopy(path(), signal)
    return (text: string) => copy.row({ text })
  }
})
