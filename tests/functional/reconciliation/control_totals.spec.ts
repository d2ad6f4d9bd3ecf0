import { findRegister } from '#reconciliation/store/find_register'
import {
  confirmRegister,
  fileOf,
  lineOf,
  matchedRegister,
  matchesOf,
  refusalOf,
  saleOfOrders,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { test } from '@japa/runner'

test.group('Control totals', () => {
  test('every row of a file ends in a match, and the totals agree with its footer', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(3)
    const lines = [await lineOf(orders[0]), await lineOf(orders[1], { tenge: '12500' })]
    const stranger = 'o-unknown;pay-unknown;01.09.2026 10:00:00;5000;Оплата'
    const registerId = await matchedRegister(partner, fileOf(...lines, stranger, 'Итого;;;29500;'))
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED EXACT [2] ${orders[0]}`,
      `AMOUNT_DIFF EXACT [3] ${orders[1]}`,
      'OUT_OF_SCOPE NONE [4]',
      `MISSING_AT_PARTNER NONE [] ${orders[2]}`,
    ])
    const { state, control, totals, encoding } = await findRegister(registerId)
    assert.equal(state, 'matched')
    assert.equal(encoding, 'utf-8')
    assert.deepInclude(control!, { rowsIn: 3, sumTenge: '29500', sum: 'AGREES' })
    assert.deepEqual(control!.skippedTexts, [{ line: 5, text: 'Итого | 29500' }])
    assert.deepInclude(totals!.AMOUNT_DIFF, { rows: 1, rowsTenge: '12500', ordersTenge: '12000' })
    const journal = await rows(
      `SELECT name FROM journal WHERE partner_id = ? AND name LIKE 'register%' ORDER BY id`,
      partner.id
    )
    assert.deepEqual(
      journal.map(({ name }) => name),
      ['register_uploaded', 'register_mapped']
    )
  })

  test('a last row whose amount is in words is unread money', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(1)
    const inWords = 'P-2;;;двенадцать тысяч;'
    const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0]), inWords))
    const refused = await refusalOf(confirmRegister(registerId))
    assert.equal(refused!.refusalCode, 'UNREAD_MONEY')
  })

  test('a footer with another sum is reported, and a typed total overrides it', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const lines = [await lineOf(orders[0]), await lineOf(orders[1])]
    const wrong = await matchedRegister(partner, fileOf(...lines, 'Итого;;;25000;'))
    const { control: wrongControl } = await findRegister(wrong)
    assert.deepInclude(wrongControl!, { sum: 'DIFFERS' })
    const typed = await matchedRegister(partner, fileOf(...lines, 'Итого;;;26000;'), {
      declaredRows: 2,
      declaredTenge: 24_000n,
    })
    const { control: typedControl } = await findRegister(typed)
    assert.deepInclude(typedControl!, { sum: 'AGREES', count: 'AGREES' })
  })
})
