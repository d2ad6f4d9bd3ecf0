import { TWINS } from '#workbooks/sheets/all'
import { dataOf } from '#workbooks/proof/canonical_rows'
import { solidColumns, type DataRow, type DataSheet } from '#workbooks/sheets/sheet'
import type { Words } from '#workbooks/words/words'
import { CsvTwin } from '#spreadsheets/csv_twin'
import { JsonlTwin } from '#spreadsheets/jsonl_twin'
import type { WrittenFile } from '#spreadsheets/workbook'
import { rm } from 'node:fs/promises'

export interface TwinFile extends WrittenFile {
  path: string
  rows: number
}

interface Twin {
  path: string
  write: (row: DataRow) => Promise<void>
  finish: () => Promise<WrittenFile & { rows: number }>
  abort: () => Promise<void>
}

/** The same rows as files of lines, beside the workbook; they appear with it or not at all. */
export class Twins implements AsyncDisposable {
  #open: Twin[] = []
  #kept: TwinFile[] | null = null

  constructor(
    private readonly path: string,
    private readonly words: Words,
    private readonly signal?: AbortSignal
  ) {}

  /** What takes the rows of a sheet; nothing for a sheet without twins. */
  of(sheet: DataSheet): Pick<Twin, 'write'>[] {
    if (!TWINS.includes(sheet)) return []
    const stem = `${this.path.replace(/\.xlsx$/i, '')}_${sheet.key}`
    const twins = [this.#csv(sheet, `${stem}.csv`), this.#jsonl(sheet, `${stem}.jsonl.gz`)]
    this.#open.push(...twins)
    return twins
  }

  async finish(): Promise<TwinFile[]> {
    this.#kept = []
    for (const { path, finish } of this.#open) this.#kept.push({ path, ...(await finish()) })
    return this.#kept
  }

  /** Takes back those that are in their places already: the book could not be finished. */
  async withdraw() {
    for (const { path } of this.#kept ?? []) await rm(path, { force: true })
  }

  async [Symbol.asyncDispose]() {
    for (const { abort } of this.#open) await abort()
  }

  #csv(sheet: DataSheet, path: string): Twin {
    const columns = solidColumns(sheet)
    const headed = columns.map(({ key, kind }) => ({
      key,
      kind,
      heading: this.words.columns[key],
    }))
    const file = new CsvTwin(path, headed, this.signal)
    return {
      path,
      finish: () => file.finish(),
      abort: () => file.abort(),
      write: (row) => file.row(columns.map(({ key }) => row[key])),
    }
  }

  #jsonl(sheet: DataSheet, path: string): Twin {
    const file = new JsonlTwin(path, this.signal)
    const data = dataOf(sheet)
    return {
      path,
      finish: () => file.finish(),
      abort: () => file.abort(),
      write: (row) => file.row(data(row)),
    }
  }
}
