import { UnwritableWorkbook } from '#spreadsheets/sheet_spec'
import { endSheet, untilPacked } from '#spreadsheets/writing/exceljs_parts'
import type { Lifeline } from '#spreadsheets/writing/lifeline'
import type { RowCells, SheetRows } from '#spreadsheets/writing/sheet_rows'

export interface Progress {
  sheet: string
  /** Rows of data written to this sheet. */
  rows: number
}

interface Listeners {
  onProgress?: (progress: Progress) => void
  onClosed: () => void
}

const ROWS_PER_PAUSE = 500
const ROWS_PER_REPORT = 2_000
const REPORT_MS = 500
const READY = Promise.resolve()

/** The sheet that is being written: one at a time, as the parts of a zip file lie one after another. */
export class OpenSheet {
  #isBusy = false
  #isClosed = false
  #reported = { rows: 0, at: Date.now() }

  constructor(
    readonly name: string,
    private readonly rows: SheetRows,
    private readonly lifeline: Lifeline,
    private readonly listeners: Listeners
  ) {}

  get isClosed() {
    return this.#isClosed
  }

  /** Rows of data written so far. */
  get count() {
    return this.rows.count
  }

  /** Where the rows of data lie, for formulas: `{ first: 2, last: 41 }`. */
  get dataRows() {
    return this.rows.dataRows
  }

  /**
   * Writes one row. Wait for it before the next: now and then it lets the packing catch up and other work run, which
   * is what keeps memory flat. A mistake in a cell abandons the whole book.
   */
  row(cells: RowCells): Promise<void> {
    if (this.#isBusy || this.#isClosed) return this.lifeline.hold(() => this.#refuseRow())
    try {
      this.lifeline.assertOpen()
      this.rows.add(cells)
    } catch (error) {
      return this.lifeline.hold(() => Promise.reject(error))
    }
    return this.rows.count % ROWS_PER_PAUSE === 0 ? this.#pause() : READY
  }

  /** Joins cells, on a page to be printed. Data sheets have none: nothing imports them. */
  merge(range: string) {
    this.rows.merge(range)
  }

  async close(): Promise<void> {
    await this.lifeline.hold(async () => {
      if (this.#isBusy || this.#isClosed) this.#refuseRow()
      this.#isClosed = true
      this.rows.complete()
      this.listeners.onClosed()
      await endSheet(this.rows.sheet)
    })
    this.#report()
  }

  async #pause() {
    this.#isBusy = true
    await this.lifeline.hold(() => untilPacked(this.rows.sheet))
    this.#isBusy = false
    const isMuch = this.count - this.#reported.rows >= ROWS_PER_REPORT
    if (isMuch || Date.now() - this.#reported.at >= REPORT_MS) this.#report()
  }

  #report() {
    this.#reported = { rows: this.count, at: Date.now() }
    this.listeners.onProgress?.({ sheet: this.name, rows: this.count })
  }

  #refuseRow(): never {
    const why = this.#isClosed ? 'is closed' : 'is still writing the row before: wait for it'
    throw new UnwritableWorkbook(`«${this.name}» ${why}`)
  }
}
