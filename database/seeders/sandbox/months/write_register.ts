import { DAY_MS, localDay, localTime, MINUTE_MS } from '#shared/days'
import { createWorkbook, type ColumnSpec } from '#spreadsheets/workbook'
import { stringify } from 'csv-stringify/sync'
import { writeFile } from 'node:fs/promises'
import type { SoldOrder } from './sell_month.js'

export type RegisterFormat = 'csv' | 'xlsx'

interface Row {
  order: string
  payment: string
  at: Date
  kind: 'Оплата' | 'Возврат'
  tenge: bigint
}

const HEADINGS = ['Номер заказа', 'ID платежа', 'Дата операции', 'Тип операции', 'Сумма']
/** Until the bank has sent the money back. */
const RETURNED_AFTER_MS = DAY_MS / 2

/** Writes what the partner knows of its sales of a month; returns the number of rows and their sum. */
export async function writeRegister(path: string, format: RegisterFormat, sold: SoldOrder[]) {
  const rows = sold.flatMap(rowsOf)
  if (format === 'csv') await writeCsv(path, rows)
  else await writeXlsx(path, rows)
  const tenge = rows.reduce((sum, row) => sum + row.tenge, 0n)
  return { declaredRows: rows.length, declaredTenge: tenge }
}

function rowsOf({ reference, paymentId, paidAt, totalTenge, story, refundedAt }: SoldOrder): Row[] {
  if (story === 'lacks_in_register') return []
  const charge: Row = {
    order: reference,
    payment: paymentId,
    at: paidAt,
    kind: 'Оплата',
    tenge: totalTenge,
  }
  if (story === 'charged_twice') {
    const at = new Date(paidAt.getTime() + MINUTE_MS)
    return [charge, { ...charge, payment: `${paymentId}-2`, at }]
  }
  if (story !== 'refunded') return [charge]
  const at = new Date(refundedAt!.getTime() + RETURNED_AFTER_MS)
  return [charge, { ...charge, at, kind: 'Возврат', tenge: -totalTenge }]
}

async function writeCsv(path: string, rows: Row[]) {
  const lines = rows.map(({ order, payment, at, kind, tenge }) => [
    order,
    payment,
    `${localDay(at).split('-').toReversed().join('.')} ${localTime(at)}`,
    kind,
    String(tenge),
  ])
  await writeFile(path, stringify([HEADINGS, ...lines], { delimiter: ';', bom: true }))
}

const COLUMNS: ColumnSpec[] = [
  { key: 'order', heading: HEADINGS[0], width: 22, kind: 'id' },
  { key: 'payment', heading: HEADINGS[1], width: 26, kind: 'id' },
  { key: 'at', heading: HEADINGS[2], width: 20, kind: 'moment' },
  { key: 'kind', heading: HEADINGS[3], width: 16, kind: 'text' },
  { key: 'tenge', heading: HEADINGS[4], width: 14, kind: 'tenge' },
]

async function writeXlsx(path: string, rows: Row[]) {
  await using book = createWorkbook(path, { title: 'Реестр', creator: 'Песочница' })
  const sheet = await book.sheet({ name: 'Реестр', columns: COLUMNS })
  for (const row of rows) await sheet.row({ ...row })
  await sheet.close()
  await book.finish()
}
