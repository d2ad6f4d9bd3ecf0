import { closingOf, filesOf, WORKBOOK_VERSION, type Document } from '#workbooks/document/document'
import { passportLine, sealOf } from '#workbooks/proof/passport'
import { solidColumns, type DataRow, type DataSheet } from '#workbooks/sheets/sheet'
import { rowSum, SheetSum } from '#workbooks/proof/multiset_hash'
import { RowParts } from '#workbooks/proof/canonical_rows'
import type { SheetKey } from '#workbooks/words/words'
import type { Language } from '#shared/languages'
import { DataHash } from '#spreadsheets/canonical'
import { shownValue } from '#spreadsheets/shown_value'

/** What a book is proved by, gathered while it is written. */
export class Proof {
  readonly #frozen = new DataHash()
  readonly #mutable = new DataHash()
  readonly #sums: Partial<Record<SheetKey, string>> = {}

  constructor(private readonly document: Document) {
    const { partner, statement, from, to, openingTenge, terms } = document
    // What the rows are about, so that it cannot be changed unseen either.
    this.#frozen.add({
      partner: partner.code,
      number: statement?.number ?? null,
      from,
      to,
      opening: openingTenge,
      closing: closingOf(document),
      terms: terms.id,
    })
  }

  get hashes() {
    return { dataSha256: this.#frozen.sha256, defectsSha256: this.#mutable.sha256 }
  }

  /** The sum of a page of totals. */
  ofPage(page: SheetKey, sum: string) {
    this.#sums[page] = sum
  }

  /** What takes the rows of a sheet, and is told when there are no more. */
  ofSheet(sheet: DataSheet) {
    const sum = new SheetSum()
    const parts = new RowParts(sheet)
    const shown = shownColumns(sheet)
    const hashes = sheet.isMutable ? [this.#mutable] : [this.#frozen, this.#mutable]
    for (const hash of hashes) hash.add({ sheet: sheet.key })
    return {
      add: (row: DataRow) => {
        const { frozen, mutable } = parts.linesOf(row)
        if (frozen) this.#frozen.addLine(frozen)
        if (mutable) this.#mutable.addLine(mutable)
        sum.add(rowSum(shown.map(({ key, kind }) => shownValue(row[key], kind))))
      },
      end: () => {
        this.#sums[sheet.key] = sum.hex
      },
    }
  }

  /** What the book can be checked by when it comes back. */
  seal(language: Language) {
    const { partner, statement, from, to, asOf } = this.document
    const passport = passportLine({
      version: WORKBOOK_VERSION,
      language,
      partner: partner.code,
      files: filesOf(this.document),
      rowsPerSheet: this.document.rowsPerSheet,
      statementId: statement?.id ?? null,
      from,
      to,
      asOf,
      ...this.hashes,
    })
    return { passport, seal: sealOf(passport, this.#sums) }
  }
}

/** What of a row its reader sees, without what the partner fills in. */
const shownColumns = (sheet: DataSheet) => solidColumns(sheet).filter(({ isAnswer }) => !isAnswer)
