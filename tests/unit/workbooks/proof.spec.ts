import platform from '#config/platform'
import { zeroTotals } from '#ledger/movements'
import type { Document } from '#workbooks/document/document'
import { ProofCollector } from '#workbooks/proof/proof'
import { DATA_SHEETS } from '#workbooks/sheets/all'
import type { DataRow, DataSheet } from '#workbooks/sheets/sheet'
import type { CellKind } from '#spreadsheets/workbook'
import { test } from '@japa/runner'
import { createHmac } from 'node:crypto'

const AT = new Date('2026-09-15T06:30:00.000Z')
const totals = zeroTotals()
totals.sale = { movements: 1, tickets: 3, tenge: 36_000n }

/** Statement 17 of September 2026: opening balance 50,000, one sale of 36,000. */
const document = {
  partner: { id: 7, code: 'DEMO', name: 'Demo' },
  statement: { id: 17, number: 17 },
  from: new Date('2026-08-31T19:00:00.000Z'),
  to: new Date('2026-09-30T19:00:00.000Z'),
  asOf: new Date('2026-10-02T05:00:00.000Z'),
  openingTenge: 50_000n,
  totals,
  terms: { id: 3 },
  sheets: Object.fromEntries(DATA_SHEETS.map(({ key }) => [key, { rows: 1, sums: {} }])),
  rowsPerSheet: 200_000,
} as unknown as Document

const VALUES: Record<CellKind, (key: string, at: number) => DataRow[string]> = {
  text: (key) => key,
  id: (key) => key.toUpperCase(),
  tenge: (_, at) => BigInt(at * 1_000),
  count: (_, at) => at,
  moment: () => AT,
  date: () => AT,
  percent: () => 0.12,
  flag: () => true,
  formula: () => null,
}
/** A row with a value in every column. */
const rowOf = ({ columns }: DataSheet): DataRow =>
  Object.fromEntries(columns.map(({ key, kind }, at) => [key, VALUES[kind](key, at)]))

/** The hash of each sheet, which the seal covers. */
const SHEET_HASHES: Record<string, string> = {
  movements: 'a1815fbed89eb3e1f712c84fb9066332ada063b1d8417b1780c066125ff2ab5c',
  orders: 'de77016c324eba7636cf687f3fac42dfb0cf018649aad6ae6e6b9ff09f555012',
  tickets: '91be1e23566c78c6bd5f24e5b9b7c394b10f08495efd38fd38eb12a2ec7217c4',
  defects: 'df1eeda7e581f8c60637760c56fa89b46d3f4312fae96b81bd32c5221976c60e',
  balances: '6039c5ace52ce4a4b76fd3743fbda81d3cf5cdba4b7308101d0d4bf7587cb9a2',
  attempts: '4c075bbeabd2f5cba7a49d29cad0d452e7180844a36186680477459d3a7128d6',
  returns: '86b8911c24dea62d93b103148c5cacb34e1f6e168532a27cf8ec5215eef8cfca',
  events: '786c008916e0f05a8ad476b0f3dfb9f3fd9b20ed2b226a34434c6e03ca71b9f0',
  adjustments: '7ad4cde637d7bc64e12e6dbc2a33da1cfbb15f1f3cd8fe940e47e88baf3123e6',
}

test.group('The hashes of a workbook', () => {
  const proof = new ProofCollector(document)
  for (const sheet of DATA_SHEETS) {
    const hashes = proof.hashSheet(sheet)
    hashes.add({ ...rowOf(sheet), hasMovements: true })
    hashes.add({ ...rowOf(sheet), hasMovements: false })
    hashes.end()
  }

  test('never change for the same data', ({ assert }) => {
    assert.deepEqual(proof.hashes, {
      fixedDataSha256: '4cece734980675f34c96da29f42aff19b8c77e5ff8bfad9dc80a12aedbba49a3',
      changeableDataSha256: '40a2d90e06c60610768b91e8fcd665d8a6266d6dc2d43a0d61c2b42e4adf37d6',
    })
  })

  test('the seal covers the passport and every sheet', ({ assert }) => {
    const { passport, seal } = proof.seal('ru')
    const sealed = [
      passport,
      ...Object.keys(SHEET_HASHES)
        .sort()
        .map((key) => SHEET_HASHES[key]),
    ]
    const hmac = createHmac('sha256', platform.linkKey.release())
    assert.equal(seal, hmac.update(`settlement-book|${sealed.join('|')}`).digest('hex'))
  })
})
