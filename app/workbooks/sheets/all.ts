import type { Document } from '#workbooks/document/document'
import type { DataSheet } from '#workbooks/sheets/sheet'
import { adjustments } from '#workbooks/sheets/adjustments'
import { attempts } from '#workbooks/sheets/attempts'
import { defects } from '#workbooks/sheets/defects'
import { events } from '#workbooks/sheets/events'
import { movements } from '#workbooks/sheets/movements'
import { orders } from '#workbooks/sheets/orders'
import { register } from '#workbooks/sheets/register'
import { returns } from '#workbooks/sheets/returns'
import { tickets } from '#workbooks/sheets/tickets'

/** In the order of the book. */
export const DATA_SHEETS: readonly DataSheet[] = [
  movements,
  orders,
  tickets,
  defects,
  attempts,
  returns,
  events,
  adjustments,
]

/** In the order of a book that has all of them. */
export const ALL_SHEETS: readonly DataSheet[] = [...DATA_SHEETS, register]

/** The sheets of a book: that of registers only where there is one to compare with. */
export const sheetsOf = ({ sheets }: Pick<Document, 'sheets'>): readonly DataSheet[] =>
  sheets[register.key] ? ALL_SHEETS : DATA_SHEETS

/** Those that are also given as files of lines. */
export const TWINS: readonly DataSheet[] = [movements, orders, defects]
