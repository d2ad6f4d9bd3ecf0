import { COPIED_SHEETS } from '#workbooks/sheets/all'
import { languageFreeFields } from '#workbooks/proof/canonical_rows'
import { valueColumns, type DataRow, type DataSheet } from '#workbooks/sheets/sheet'
import type { Words } from '#workbooks/words/words'
import { CsvCopy } from '#spreadsheets/csv_copy'
import { JsonlCopy } from '#spreadsheets/jsonl_copy'
import type { WrittenFile } from '#spreadsheets/workbook'
import { rm } from 'node:fs/promises'

export interface CopyFile extends WrittenFile {
  path: string
  rows: number
}

interface DataCopy {
  path: string
  write: (row: DataRow) => Promise<void>
  finish: () => Promise<WrittenFile & { rows: number }>
  abort: () => Promise<void>
}

/** The rows of some sheets as CSV and JSONL files next to the workbook; all files appear or none. */
export class DataCopies implements AsyncDisposable {
  #open: DataCopy[] = []
  #kept: CopyFile[] | null = null

  constructor(
    private readonly path: string,
    private readonly words: Words,
    private readonly signal?: AbortSignal
  ) {}

  /** Opens a sheet's files; none for a sheet without copies. */
  of(sheet: DataSheet): Pick<DataCopy, 'write'>[] {
    if (!COPIED_SHEETS.includes(sheet)) return []
    const stem = `${this.path.replace(/\.xlsx$/i, '')}_${sheet.key}`
    const copies = [this.#csv(sheet, `${stem}.csv`), this.#jsonl(sheet, `${stem}.jsonl.gz`)]
    this.#open.push(...copies)
    return copies
  }

  async finish(): Promise<CopyFile[]> {
    this.#kept = []
    for (const { path, finish } of this.#open) this.#kept.push({ path, ...(await finish()) })
    return this.#kept
  }

  /** Removes finished files, because the workbook could not be finished. */
  async withdraw() {
    for (const { path } of this.#kept ?? []) await rm(path, { force: true })
  }

  async [Symbol.asyncDispose]() {
    for (const { abort } of this.#open) await abort()
  }

  #csv(sheet: DataSheet, path: string): DataCopy {
    const columns = valueColumns(sheet)
    const headed = columns.map(({ key, kind }) => ({
      key,
      kind,
      heading: this.words.columns[key],
    }))
    const file = new CsvCopy(path, headed, this.signal)
    return {
      path,
      finish: () => file.finish(),
      abort: () => file.abort(),
      write: (row) => file.row(columns.map(({ key }) => row[key])),
    }
  }

  #jsonl(sheet: DataSheet, path: string): DataCopy {
    const file = new JsonlCopy(path, this.signal)
    const data = languageFreeFields(sheet)
    return {
      path,
      finish: () => file.finish(),
      abort: () => file.abort(),
      write: (row) => file.row(data(row)),
    }
  }
}
