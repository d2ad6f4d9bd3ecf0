import type { DataSheet } from '#workbooks/sheets/sheet'
import { adjustments } from '#workbooks/sheets/adjustments'
import { attempts } from '#workbooks/sheets/attempts'
import { balances } from '#workbooks/sheets/balances'
import { defects } from '#workbooks/sheets/defects'
import { events } from '#workbooks/sheets/events'
import { movements } from '#workbooks/sheets/movements'
import { orders } from '#workbooks/sheets/orders'
import { register } from '#workbooks/sheets/register'
import { returns } from '#workbooks/sheets/returns'
import { tickets } from '#workbooks/sheets/tickets'

/** The sheets of every workbook, in its order. */
export const DATA_SHEETS: readonly DataSheet[] = [
  movements,
  orders,
  tickets,
  defects,
  balances,
  attempts,
  returns,
  events,
  adjustments,
]

/** All sheets, in the order of a workbook that has all. */
export const ALL_SHEETS: readonly DataSheet[] = [...DATA_SHEETS, register]

/** The sheets of a workbook: the register sheet only with a confirmed register. */
export const sheetsOf = ({
  sheets,
}: {
  sheets: Readonly<Record<string, unknown>>
}): readonly DataSheet[] => (sheets[register.key] ? ALL_SHEETS : DATA_SHEETS)

/** The sheets that are also written as CSV and JSONL files. */
export const COPIED_SHEETS: readonly DataSheet[] = [movements, orders, defects]
