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
  movements: 'ba692a6fbaad10e2b5347fbf15da4195f780ff59dcb7b859c4f203c07d940ec4',
  orders: 'a1ae5c44e9e447e28a68d69733cade0fd5726bf41279028d8419e0603437eee8',
  tickets: '7f4c9e20e46b303f4dc65b88eab597cf2d501cf138f4bf25ebd188a21fd5b942',
  defects: '87a36a37ed4fe5d44be5f273de7b5310365c343f5433a286d0fcab5b3dd81cc0',
  balances: '6039c5ace52ce4a4b76fd3743fbda81d3cf5cdba4b7308101d0d4bf7587cb9a2',
  attempts: 'b1cf2f8bcf3c419b15c768c4c844ce731b28bb403593c50f02b250d15e7fad14',
  returns: 'b7c7e791530831aa3b5283fd544ca53c29817dbf6067cccd401dafea7b0f3296',
  events: '5b3af46eb3a3c6ae419ec86783693e68e9ea4fd04c0187d6effc1b25d193c072',
  adjustments: 'c49b7d64114888e17b63280e0d0f880c16f392502fabbc52850ea108849fc938',
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
      changeableDataSha256: '60e3bc80c6f0a3a5fa24a812cbebc57d3c58f995c248bc34a358da868a81a037',
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
