import type { Document } from '#settlement/workbook/document'
import type { DataSheet } from '#settlement/workbook/sheet'
import { adjustments } from '#settlement/workbook/sheets/adjustments'
import { attempts } from '#settlement/workbook/sheets/attempts'
import { defects } from '#settlement/workbook/sheets/defects'
import { events } from '#settlement/workbook/sheets/events'
import { movements } from '#settlement/workbook/sheets/movements'
import { orders } from '#settlement/workbook/sheets/orders'
import { register } from '#settlement/workbook/sheets/register'
import { returns } from '#settlement/workbook/sheets/returns'
import { tickets } from '#settlement/workbook/sheets/tickets'

/** In the order of the book. */
export const DATA_SHEETS: readonly DataSheet[] = [
  ...[movements, orders, tickets, defects, attempts, returns, events, adjustments],
]

/** In the order of a book that has all of them. */
export const ALL_SHEETS: readonly DataSheet[] = [...DATA_SHEETS, register]

/** The sheets of a book: that of registers only where there is one to compare with. */
export const sheetsOf = ({ sheets }: Pick<Document, 'sheets'>): readonly DataSheet[] =>
  sheets[register.key] ? ALL_SHEETS : DATA_SHEETS

/** Those that are also given as files of lines. */
export const TWINS: readonly DataSheet[] = [movements, orders, defects]
