import { callThread, startThread } from '#shared/calculation_thread'
import type { DeclaredTotals } from '#register_reading/declared_totals'
import { RegisterParser, type ParsedRegister } from '#register_reading/parse_register'
import type { ParsedRow } from '#register_reading/parse_row'
import type { PartShape } from '#register_reading/register_part'
import type { TableShape } from '#register_reading/register_table'
import {
  DEFAULT_LIMITS,
  openTables,
  UnreadableTable,
  type Place,
  type Problem,
  type RawRow,
  type TableFile,
} from '#spreadsheets/read_table'

/** Where a part is. */
export interface PartSource {
  path: string
  /** Null for the first sheet, and for files of lines. */
  sheet: string | null
  part: PartShape
}

export interface ReadingProgress {
  rowsDone: number
  isOver: boolean
  /** Why the part cannot be read to its end; nothing more is read then. */
  unreadable?: { problem: Problem; place: Place }
}

/** All of a read register but its rows. */
export type RegisterSummary = Omit<ParsedRegister, 'rows'> & { rows: number }

/**
 * Reads a register from its files: part by part some rows at a time, then its summary, then its parsed rows in batches. Large
 * files are read on a thread of their own (`register_reader_thread.ts`), small ones in place.
 */
export class RegisterReader {
  #parser?: RegisterParser
  /** Sheets of one workbook follow each other: what they share is read once. */
  #file?: { path: string; tables: TableFile }
  #raw?: AsyncIterator<RawRow>
  #rows: ParsedRow[] = []
  #rowsDone = 0

  open(shape: TableShape, linesGiven: number) {
    this.#parser = new RegisterParser(shape, linesGiven)
  }

  async startPart({ path, sheet, part }: PartSource): Promise<void> {
    if (this.#file?.path !== path) this.#file = { path, tables: await openTables(path) }
    const { rows } = await this.#file.tables.read({ sheet: sheet ?? undefined })
    this.#raw = rows[Symbol.asyncIterator]()
    this.#parser!.startPart(part)
  }

  async readSome(most: number): Promise<ReadingProgress> {
    try {
      for (let read = 0; read < most; read++) {
        const { done, value } = await this.#raw!.next()
        if (done) return { rowsDone: this.#rowsDone, isOver: true }
        this.#parser!.add(value)
        this.#rowsDone++
        if (this.#rowsDone > DEFAULT_LIMITS.rows)
          throw new UnreadableTable('too_many_rows', { line: value.line })
      }
      return { rowsDone: this.#rowsDone, isOver: false }
    } catch (error) {
      if (!(error instanceof UnreadableTable)) throw error
      const { problem, place } = error
      return { rowsDone: this.#rowsDone, isOver: true, unreadable: { problem, place } }
    }
  }

  finish(declared: Partial<DeclaredTotals>): RegisterSummary {
    const { rows, ...summary } = this.#parser!.finish(declared)
    this.#rows = rows
    return { ...summary, rows: rows.length }
  }

  rowsFrom(from: number, size: number): ParsedRow[] {
    return this.#rows.slice(from, from + size)
  }
}

/** A reader on a thread of its own. */
export const startReader = (signal: AbortSignal) =>
  callThread<RegisterReader>(startThread(import.meta.url, './register_reader_thread'), signal)
