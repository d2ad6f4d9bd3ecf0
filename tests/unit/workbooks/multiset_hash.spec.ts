import { hashLine, hashRow, MultisetHash } from '#workbooks/proof/multiset_hash'
import { test } from '@japa/runner'
import { createHash } from 'node:crypto'

type Row = [order: string, tenge: number]
const sheetHash = (rows: Row[]) => {
  const hash = new MultisetHash()
  for (const row of rows) hash.add(hashRow(row))
  return hash.hex
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test.group('The multiset hash of a sheet', () => {
  const first: Row = ['ord_1', 12_000]
  const second: Row = ['ord_2', 24_000]

  test('the hash is the sum of the rows’ SHA-256: their order does not change it, a changed or doubled row does', ({
    assert,
  }) => {
    assert.equal(hashRow(first), sha256('["ord_1",12000]'))
    const sum = BigInt(`0x${hashRow(first)}`) + BigInt(`0x${hashRow(second)}`)
    const hex = (sum % 2n ** 256n).toString(16).padStart(64, '0')
    assert.equal(sheetHash([first, second]), hex)
    assert.equal(sheetHash([second, first]), hex)
    assert.notEqual(sheetHash([first, ['ord_2', 24_001]]), hex)
    assert.notEqual(sheetHash([first, second, second]), hex)
  })

  test('a line of a page counts with its number; an empty one does not count', ({ assert }) => {
    assert.equal(hashLine(7, ['total', 36_000, null]), sha256('[7,"total",36000]'))
    assert.notEqual(hashLine(8, ['total', 36_000]), hashLine(7, ['total', 36_000]))
    assert.isNull(hashLine(7, [null, null]))
  })
})
