import platform from '#config/platform'
import { isRowCode, rowCodeOf } from '#workbooks/sheets/row_code'
import { test } from '@japa/runner'
import { createHmac } from 'node:crypto'

const row = {
  defectId: 7,
  caseId: 3,
  code: 'CONFIRM_AMOUNT_MISMATCH',
  orderId: 'ord_1',
  exposure: 12_000n,
}

test.group('The row code of a defect', () => {
  test('the code is the first 16 digits of an HMAC over the row’s fields', ({ assert }) => {
    const hmac = createHmac('sha256', platform.linkKey.release())
      .update('settlement-row|7|3|CONFIRM_AMOUNT_MISMATCH|ord_1|12000')
      .digest('hex')
    assert.equal(rowCodeOf(row), hmac.slice(0, 16).toUpperCase())
  })

  test('the beginning of a code is not enough', ({ assert }) => {
    const code = rowCodeOf(row)
    assert.isTrue(isRowCode(row, code))
    assert.isFalse(isRowCode(row, code.slice(0, 2)))
  })

  test('numbers may come back as text, and any changed field has another code', ({ assert }) => {
    const code = rowCodeOf(row)
    assert.equal(rowCodeOf({ ...row, defectId: '7', exposure: 12_000 }), code)
    for (const change of [
      { defectId: 8 },
      { caseId: 4 },
      { code: 'OTHER' },
      { orderId: 'ord_2' },
      { exposure: 12_001n },
    ]) {
      assert.notEqual(rowCodeOf({ ...row, ...change }), code)
    }
  })
})
