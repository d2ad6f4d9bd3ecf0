import { findHeader } from '#reconciliation/reading/find_header'
import { proposeMapping } from '#reconciliation/reading/propose_mapping'
import type { RawCell } from '#reconciliation/reading/raw_row'
import { foldId, lostDigitsKey, lostDigitsOf } from '#reconciliation/reading/read_id'
import { MomentStyles, readMoment } from '#reconciliation/reading/read_moment'
import { RegisterTable } from '#reconciliation/reading/register_table'
import { applyRemembered } from '#reconciliation/reading/remembered_mapping'
import { test } from '@japa/runner'
import { rawRows } from './support.js'

test.group('Reading a register: the examples of the modules', () => {
  test('find_header: the header is on line 3', ({ assert }) => {
    const found = findHeader(
      rawRows([
        ['Реестр за сентябрь 2026'],
        ['Период:', '01.09.2026', '30.09.2026'],
        ['№ заказа', 'Дата оплаты', 'Сумма, тг'],
        ['P-101', '30.09.2026 14:05', '10 000'],
      ])
    )
    assert.equal(found!.line, 3)
    assert.equal(found!.knownColumns, 3)
  })

  test('propose_mapping: header and shape together are surer than the header', ({ assert }) => {
    const rows: RawCell[][] = [
      ['P-101', '2026-09-30 14:05', '10 000', '9 500'],
      ['P-102', '2026-09-30 14:20', '25 000', '23 750'],
    ]
    const headers = ['Order', 'Paid', 'Total', 'Net']
    const { columns, mapping } = proposeMapping({ headers, rows: rawRows(rows, 2), prefix: 'TIX' })
    assert.deepEqual(mapping, { partnerOrderId: 0, paidAt: 1, amount: 2 })
    assert.deepEqual(
      columns.map(({ confidence }) => confidence.toFixed(2)),
      ['0.93', '0.95', '0.94']
    )
  })

  test('read_moment: one cell decides the order of day and month for its column', ({ assert }) => {
    const styles = new MomentStyles()
    for (const cell of ['03/04/2026 10:00', '04/30/2026 10:00']) styles.add(cell)
    const style = styles.style()
    assert.deepInclude(style, { isDayFirst: false, basis: 'seen' })
    const at = new Date('2026-03-04T05:00:00Z')
    assert.deepEqual(readMoment('03/04/2026 10:00', style), {
      isRead: true,
      value: { at, precision: 'minute' },
    })
  })

  test('register_table: a subtotal within, the totals and a signature at the end', ({ assert }) => {
    const table = new RegisterTable({
      headerLine: 1,
      headers: ['Order', 'Paid', 'Total'],
      mapping: { partnerOrderId: 0, paidAt: 1, amount: 2 },
    })
    const rows: RawCell[][] = [
      ['Order', 'Paid', 'Total'],
      ['P-101', '2026-09-30 14:05', '10 000'],
      ['Total', null, '10 000'],
      ['P-102', '2026-09-30 14:20', '25 000'],
      [null, null, null],
      ['Total', 2, '35 000'],
      ['Director: A. Akhmetov'],
    ]
    const payments = rawRows(rows).flatMap((row) => table.take(row).map(({ line }) => line))
    assert.deepEqual(payments, [2, 4])
    assert.deepEqual(table.end(), { count: 2, sumTenge: 35_000n })
    assert.deepEqual(table.skipped, {
      above: 1,
      blank: 1,
      repeatedHeaders: 0,
      subtotals: 1,
      footer: 2,
    })
  })

  test('remembered_mapping: columns may move, a header may not be there twice', ({ assert }) => {
    const remembered = { partnerOrderId: 'Order', amount: 'Total' }
    assert.deepEqual(applyRemembered(remembered, ['No', 'Order', 'Total']), {
      isApplied: true,
      columns: [
        { field: 'partnerOrderId', column: 1 },
        { field: 'amount', column: 2 },
      ],
    })
    assert.deepEqual(applyRemembered(remembered, ['Order', 'Total', 'Total']), {
      isApplied: false,
      refusal: { missingHeaders: [], repeatedHeaders: ['Total'] },
    })
  })

  test('read_id: damaged identifiers meet whole ones', ({ assert }) => {
    // With Cyrillic letters, long dashes and a blank at each end.
    assert.equal(foldId(' ТІХ–2026–000123 '), 'TIX-2026-000123')
    assert.equal(foldId("'00123.0"), '123')
    assert.equal(lostDigitsKey(lostDigitsOf('1.23457E+17')!), '18:123457')
  })
})
