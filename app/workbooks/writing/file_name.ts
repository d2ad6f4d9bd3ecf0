import { localDay, localTime } from '#shared/days'
import type { Period } from '#ledger/periods'
import { paddedNumber } from '#ledger/statement_status'
import { WORKBOOK_VERSION } from '#workbooks/document/document'
import type { Language } from '#shared/languages'

interface FileNameParts extends Period {
  partnerCode: string
  /** Null for a draft. */
  number: number | null
  language: Language
  /** As of when cases and payments are shown. */
  readAt: Date
}

/**
 * `SETTLE_DEMO_2026-09_000123_v4_ru_2026-10-02_100000.xlsx`; a period other than a month is named by its first and last day.
 * The moment at the end is the venues': a statement's workbook that is written again shows later cases.
 */
export function workbookFileName({
  partnerCode,
  number,
  language,
  from,
  to,
  readAt,
}: FileNameParts) {
  const code = partnerCode.toUpperCase().replaceAll(/[^A-Z0-9-]/g, '-')
  const first = localDay(from)
  const last = localDay(new Date(to.getTime() - 1))
  const next = new Date(`${first.slice(0, 7)}-01T00:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const isMonth = first.endsWith('-01') && localDay(to) === next.toISOString().slice(0, 10)
  const period = isMonth ? first.slice(0, 7) : `${first}_${last}`
  const shown = number === null ? 'DRAFT' : paddedNumber(number)
  const moment = `${localDay(readAt)}_${localTime(readAt).replaceAll(':', '')}`
  return `SETTLE_${code}_${period}_${shown}_v${WORKBOOK_VERSION}_${language}_${moment}.xlsx`
}
