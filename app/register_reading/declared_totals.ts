import { cellText } from '#spreadsheets/cell_text'
import type { RawCell, RawRow } from '#spreadsheets/read_table'
import { readAmount } from '#register_reading/read_amount'

/** Number of rows and sum that a file declares; null where it declares none. */
export interface DeclaredTotals {
  count: number | null
  sumTenge: bigint | null
}

const COUNT =
  /(?:кол-?во|количество|записей|операций|строк|платежей|заказов|count|rows|records|саны)[^\d]{0,30}(\d[\d ]*)/iu
const SUM = /(?:сумм[аеуы]|amount|sum|сомасы|сома)[^\d(-]{0,30}(-?\d[\d .,']*\d|\d)/iu

/** Reads the rows under a table: totals rows by column, sentences by pattern. */
export function declaredIn(
  footer: readonly { row: RawRow; isTotals: boolean }[],
  moneyColumns: readonly (number | undefined)[]
): DeclaredTotals {
  const declared: DeclaredTotals = { count: null, sumTenge: null }
  for (const { row, isTotals } of footer) {
    const sentence = inWords(row.cells)
    const cells = isTotals ? inColumns(row.cells, moneyColumns) : null
    declared.count = sentence.count ?? cells?.count ?? declared.count
    declared.sumTenge = cells?.sumTenge ?? sentence.sumTenge ?? declared.sumTenge
  }
  return declared
}

/** `Всего операций: 15 на сумму 1 234 567,00`, in one cell or in neighbours. */
function inWords(cells: readonly RawCell[]): DeclaredTotals {
  const text = cells.map(cellText).filter(Boolean).join(' ')
  const count = COUNT.exec(text)?.[1].replaceAll(' ', '')
  const sum = SUM.exec(text)?.[1]
  const amount = sum === undefined ? null : readAmount(sum)
  return { count: count ? Number(count) : null, sumTenge: amount?.isRead ? amount.value : null }
}

/** `Итого | 15 | 1 234 567`: the sum under the amounts, the count in the only other whole number. */
function inColumns(
  cells: readonly RawCell[],
  [amountColumn, ...otherMoney]: readonly (number | undefined)[]
): DeclaredTotals {
  const numbers = cells.flatMap((cell, column) => {
    const amount = readAmount(cell)
    return amount.isRead ? [{ column, value: amount.value }] : []
  })
  const sum = numbers.find(({ column }) => column === amountColumn)
  const others = numbers.filter(
    ({ column }) => column !== amountColumn && !otherMoney.includes(column)
  )
  const count = others.length === 1 && others[0].value >= 0n ? Number(others[0].value) : null
  return { count, sumTenge: sum?.value ?? null }
}
