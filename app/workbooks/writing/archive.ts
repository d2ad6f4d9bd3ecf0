import { MANIFEST } from '#workbooks/document/document'
import { ALL_SHEETS } from '#workbooks/sheets/all'
import type { PartFigures } from '#workbooks/writing/sheet_parts'
import { CsvCopy } from '#spreadsheets/csv_copy'
import type { WrittenFile } from '#spreadsheets/workbook'
import { zipFiles } from '#spreadsheets/zip_files'
import { mkdtemp, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export interface ArchivedPart extends PartFigures {
  file: string
  sha256: string
}

/** Collects the files of a document that needs several and packs them into one archive. */
export class Archive implements AsyncDisposable {
  readonly #parts: ArchivedPart[] = []

  private constructor(
    private readonly directory: string,
    readonly path: string,
    readonly bookPath: string
  ) {}

  static async create(path: string): Promise<Archive> {
    const directory = await mkdtemp(join(dirname(path), '.parts-'))
    const zip = `${path.replace(/\.xlsx$/i, '')}.zip`
    return new Archive(directory, zip, join(directory, basename(path)))
  }

  pathOf(sheet: string, part: number) {
    return `${this.bookPath.replace(/\.xlsx$/i, '')}_${sheet}_${part}.xlsx`
  }

  add(path: string, { sha256 }: WrittenFile, figures: PartFigures) {
    this.#parts.push({ ...figures, file: basename(path), sha256 })
  }

  /** Packs the files and their manifest. */
  async pack(at: Date, signal?: AbortSignal): Promise<WrittenFile> {
    const manifest = join(this.directory, MANIFEST)
    await this.#writeManifest(manifest, signal)
    const names = new Set(this.#inOrder.map(({ file }) => file))
    const files = [...names, MANIFEST].map((name) => ({ name, path: join(this.directory, name) }))
    return zipFiles(this.path, files, { at, signal })
  }

  /** In the order of sheets and parts; the first file is finished last. */
  get #inOrder() {
    const place = ({ key }: PartFigures) => ALL_SHEETS.findIndex((sheet) => sheet.key === key)
    return this.#parts.toSorted((a, b) => place(a) - place(b) || a.part - b.part)
  }

  async [Symbol.asyncDispose]() {
    await rm(this.directory, { recursive: true, force: true })
  }

  async #writeManifest(path: string, signal?: AbortSignal) {
    await using manifest = new CsvCopy(path, COLUMNS, signal)
    for (const { file, sheet, part, rows, sum, sha256 } of this.#inOrder)
      await manifest.row([file, sheet, part, rows, sum, sha256])
    await manifest.finish()
  }
}

/** Columns of the manifest, which programs read: its headings are not translated. */
const COLUMNS = [
  { key: 'file', heading: 'file', kind: 'text' },
  { key: 'sheet', heading: 'sheet', kind: 'text' },
  { key: 'part', heading: 'part', kind: 'count' },
  { key: 'rows', heading: 'rows', kind: 'count' },
  { key: 'sum', heading: 'sum', kind: 'tenge' },
  { key: 'sha256', heading: 'sha256', kind: 'id' },
] as const
