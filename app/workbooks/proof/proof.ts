import {
  closingBalance,
  fileCount,
  WORKBOOK_VERSION,
  type Document,
} from '#workbooks/document/document'
import { passportLine, sealOf } from '#workbooks/proof/passport'
import { valueColumns, type DataRow, type DataSheet } from '#workbooks/sheets/sheet'
import { hashRow, MultisetHash } from '#workbooks/proof/multiset_hash'
import { CanonicalRows } from '#workbooks/proof/canonical_rows'
import type { SheetKey } from '#workbooks/words/words'
import type { Language } from '#shared/languages'
import { DataHash } from '#spreadsheets/canonical'
import { shownValue } from '#spreadsheets/shown_value'

/** Collects the hashes and the seal of a workbook while it is written. */
export class Proof {
  readonly #fixedData = new DataHash()
  readonly #changeableData = new DataHash()
  readonly #sums: Partial<Record<SheetKey, string>> = {}

  constructor(private readonly document: Document) {
    const { partner, statement, from, to, openingTenge, terms } = document
    // The hash covers the document's head as well.
    this.#fixedData.add({
      partner: partner.code,
      number: statement?.number ?? null,
      from,
      to,
      opening: openingTenge,
      closing: closingBalance(document),
      terms: terms.id,
    })
  }

  get hashes() {
    return { dataSha256: this.#fixedData.sha256, defectsSha256: this.#changeableData.sha256 }
  }

  /** Sets the hash of a page of totals. */
  setPageHash(page: SheetKey, hash: string) {
    this.#sums[page] = hash
  }

  /** Begins a sheet's hashes: `add` takes each row, `end` closes the sheet. */
  hashSheet(sheet: DataSheet) {
    const sum = new MultisetHash()
    const parts = new CanonicalRows(sheet)
    const shown = shownColumns(sheet)
    const hashes =
      sheet.hashed === 'fixed' ? [this.#fixedData, this.#changeableData] : [this.#changeableData]
    for (const hash of hashes) hash.add({ sheet: sheet.key })
    return {
      add: (row: DataRow) => {
        const { fixed, changeable } = parts.linesOf(row)
        if (fixed) this.#fixedData.addLine(fixed)
        if (changeable) this.#changeableData.addLine(changeable)
        sum.add(hashRow(shown.map(({ key, kind }) => shownValue(row[key], kind))))
      },
      end: () => {
        this.#sums[sheet.key] = sum.hex
      },
    }
  }

  /** The passport and the seal by which the workbook is checked when it comes back. */
  seal(language: Language) {
    const { partner, statement, from, to, asOf } = this.document
    const passport = passportLine({
      version: WORKBOOK_VERSION,
      language,
      partner: partner.code,
      files: fileCount(this.document),
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

/** The columns with data, without those that the partner fills in. */
const shownColumns = (sheet: DataSheet) => valueColumns(sheet).filter(({ isAnswer }) => !isAnswer)
