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
import type { HashedPage, SheetKey } from '#workbooks/words/words'
import type { Language } from '#shared/languages'
import { DataHash } from '#spreadsheets/canonical'
import { shownValue } from '#spreadsheets/shown_value'

/**
 * What proves a workbook and its statement:
 *   statement hash         SHA-256 of the ledger's statement: its header and its lines, chained to the one before. Stored as
 *                          `data_sha256`; see `#ledger/statement_digest`
 *   fixed data hash        SHA-256 of the rows and columns that a statement fixes (`hashed: 'fixed'`) and of the document's
 *                          head: equal in every language, and for an issued statement for ever. JSON name `dataSha256`
 *   changeable data hash   SHA-256 of what may change later (`hashed: 'changeable'`): cases, attempts, statuses, scans. JSON
 *                          name `defectsSha256`
 *   sheet hashes, seal     the hashes of all cells as one file shows them; the seal is an HMAC over them and the passport
 *
 * Example: statement 17 is written again after a case was resolved and a guest was admitted.
 * The same fixed data hash; other changeable data hash, other hashes of the sheets tickets and defects, other seal.
 */

/** Collects the hashes and the seal of a workbook while it is written. */
export class ProofCollector {
  readonly #fixedData = new DataHash()
  readonly #changeableData = new DataHash()
  readonly #sheetHashes: Partial<Record<SheetKey, string>> = {}

  constructor(private readonly document: Document) {
    const { partner, statement, from, to, openingTenge, terms } = document
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
    return {
      fixedDataSha256: this.#fixedData.sha256,
      changeableDataSha256: this.#changeableData.sha256,
    }
  }

  /** Sets the hash of a page of totals. */
  setPageHash(page: HashedPage, hash: string) {
    this.#sheetHashes[page] = hash
  }

  /** Begins a sheet's hashes: `add` takes each row, `end` closes the sheet. */
  hashSheet(sheet: DataSheet) {
    const sheetHash = new MultisetHash()
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
        sheetHash.add(hashRow(shown.map(({ key, kind }) => shownValue(row[key], kind))))
      },
      end: () => {
        this.#sheetHashes[sheet.key] = sheetHash.hex
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
    return { passport, seal: sealOf(passport, this.#sheetHashes) }
  }
}

/** The columns with data, without those that the partner fills in. */
const shownColumns = (sheet: DataSheet) =>
  valueColumns(sheet).filter(({ isFilledInByPartner }) => !isFilledInByPartner)
