import { MANIFEST } from '#workbooks/document/document'
import { listSheets, type TableLimits } from '#spreadsheets/read_table'
import { unpackFiles } from '#spreadsheets/unpack_files'
import { mkdir } from 'node:fs/promises'

/** Our own workbooks are larger than partners' files. */
export const BOOK_LIMITS: Partial<TableLimits> = {
  bytes: 250_000_000,
  rows: 1_048_576,
  inflatedBytes: 4_000_000_000,
}

export interface Book {
  path: string
  /** Its name in the archive; null for a single workbook. */
  name: string | null
  sheets: string[]
}

/** Opens a workbook, or unpacks all workbooks of an archive into a new directory. Throws `UnreadableTable`. */
export async function openBooks(
  path: string,
  directory: string,
  signal?: AbortSignal
): Promise<Book[]> {
  await mkdir(directory)
  const isWanted = (name: string) => name.endsWith('.xlsx')
  const options = { limits: BOOK_LIMITS, marker: MANIFEST, isWanted, signal }
  const files = (await unpackFiles(path, directory, options)) ?? [{ path, name: null }]
  const books: Book[] = []
  for (const file of files)
    books.push({ ...file, sheets: await listSheets(file.path, BOOK_LIMITS) })
  return books
}
