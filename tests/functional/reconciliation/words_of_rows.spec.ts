import type { ChangeRegisterSourceInput } from '#reconciliation/actions/change_register_source'
import { aStaffMember } from '#tests/support/browser'
import { signedIn } from '#tests/support/page_client'
import { latePayment, refreshDefects } from '#tests/support/cases'
import { aSale } from '#tests/support/fixtures'
import { exposuresOf, minutesAfter, noonOn } from '#tests/support/register_defects'
import {
  categoriesOf,
  confirmRegister,
  confirmedRegister,
  lineOf,
  mapColumns,
  matchedRegister,
  partnerFieldsOf,
  readAndMatch,
  refusalOf,
  setUpSource,
  soldOrderOf,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const WITH_STATUS = 'Номер заказа;ID платежа;Дата оплаты;Сумма;Тип операции;Статус'
const fileOf = (...lines: string[]) => [WITH_STATUS, ...lines].join('\r\n')

/** A charge of 12,000 that bought nothing, and a row of its return. */
async function lateChargeAndReturn(status: string) {
  const { partner, orderId, payment } = await latePayment()
  await setTerms(partner, { refundEvidenceDays: 0 })
  const { key } = await partnerFieldsOf(orderId)
  const paid = [
    key,
    payment.payment_info.external_payment_id,
    noonOn(0),
    12_000,
    'Оплата',
    'Успешно',
  ]
  const returned = [
    key,
    payment.payment_info.external_payment_id,
    minutesAfter(noonOn(0), 9),
    -12_000,
    'Возврат',
    status,
  ]
  return { partner, file: fileOf(paid.join(';'), returned.join(';')) }
}

/** A person answers for the source, and the register is read again. */
async function answered(
  registerId: number,
  answer: Pick<ChangeRegisterSourceInput, 'words' | 'rowsShow'>
) {
  await setUpSource(registerId, answer)
  await mapColumns(registerId)
  await readAndMatch(registerId)
}

test.group('An operation and its outcome', () => {
  for (const [status, owed] of [
    ['Успешно', []],
    ['Отклонено', ['12000 BUYER']],
    ['Отменён', ['12000 BUYER']],
    ['В обработке', ['12000 BUYER']],
  ] as const)
    test(`a return with the status «${status}» leaves ${owed.length > 0 ? 'all' : 'nothing'} to the buyer`, async ({
      assert,
    }) => {
      const { partner, file } = await lateChargeAndReturn(status)
      await confirmedRegister(partner, file)
      await refreshDefects(partner)
      assert.deepEqual(await exposuresOf(partner), owed)
    })

  test('a charge that was declined pays for nothing', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const file = fileOf(`${await lineOf(orderId)};Отклонено`)
    const registerId = await matchedRegister(sale.partner, file)
    assert.deepEqual(await categoriesOf(registerId), ['STATUS_DIFF'])
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 PLATFORM'])
  })

  test('the words are shown with what they are read as: before a person saves the columns, and after', async ({
    assert,
  }) => {
    const sale = await aSale()
    const line = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const outcomes = ['Успешно', 'Отклонено', 'Проверка', 'Успешно']
    const file = fileOf(...outcomes.map((outcome) => `${line};${outcome}`))
    const registerId = await matchedRegister(sale.partner, file)
    const page = await signedIn(await aStaffMember('finance'))
    const words = [
      { word: 'Оплата / Успешно', count: 2, line: 2, meaning: 'charge' },
      { word: 'Оплата / Отклонено', count: 1, line: 3, meaning: 'not_money' },
      { word: 'Оплата / Проверка', count: 1, line: 4, meaning: null },
    ]
    const columns = await page.get(`/registers/${registerId}/mapping`)
    assert.deepEqual(columns.props.words, words)
    const register = await page.get(`/registers/${registerId}`)
    assert.deepEqual(register.props.words, words)
  })

  test('a pair of words that is not clear is asked, and then known', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const file = fileOf(`${await lineOf(orderId)};Проверка`)
    const registerId = await matchedRegister(sale.partner, file)
    assert.containSubset(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'UNKNOWN_WORDS',
      words: [{ word: 'оплата / проверка', count: 1, tenge: '12000', lines: [2] }],
    })
    await answered(registerId, { words: { 'оплата / проверка': 'charge' } })
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED'])
    await confirmRegister(registerId)
  })

  test('a charge that is returned by now: a person says that rows show states', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const file = fileOf(`${await lineOf(orderId)};Возвращён`)
    const registerId = await matchedRegister(sale.partner, file)
    assert.containSubset(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'SETUP_UNANSWERED',
      proposals: [{ about: 'rowsShow', value: 'states', fits: 1, of: 1 }],
    })
    await answered(registerId, { rowsShow: 'states' })
    const [row] = await rows(
      'SELECT amount_tenge::int AS tenge, returned_tenge::int AS returned FROM partner_register_rows WHERE register_id = ?',
      registerId
    )
    assert.deepEqual(row, { tenge: 12_000, returned: 12_000 })
    await confirmRegister(registerId)
  })
})

test.group('Words that are not clear', () => {
  for (const word of ['Возврат отменён', 'возврат невозможен', 'Платёж отменён банком'])
    test(`«${word}» is asked, and is no evidence until then`, async ({ assert }) => {
      const { partner, orderId, payment } = await latePayment()
      const { key } = await partnerFieldsOf(orderId)
      const row = [
        key,
        payment.payment_info.external_payment_id,
        noonOn(0),
        -12_000,
        word,
        '',
      ].join(';')
      const registerId = await matchedRegister(partner, fileOf(row))
      assert.containSubset(await refusalOf(confirmRegister(registerId)), {
        refusalCode: 'UNKNOWN_WORDS',
        words: [{ word: word.toLowerCase(), count: 1 }],
      })
      await refreshDefects(partner)
      assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
    })

  for (const word of ['Возврат отменён', 'Отмена возврата', 'Не возвращён'])
    for (const sign of ['-', ''])
      test(`${sign}90,000 «${word}» closes no case of a buyer, also where it is confirmed all the same`, async ({
        assert,
      }) => {
        const { partner, orderId, payment } = await latePayment(['seat-1-1', 'seat-1-2'])
        const { key } = await partnerFieldsOf(orderId)
        const { external_payment_id: id } = payment.payment_info
        const charge = `${key};${id};${noonOn(0)};90000;Оплата;`
        const row = `${key};${id};${minutesAfter(noonOn(0), 9)};${sign}90000;${word};`
        const registerId = await matchedRegister(partner, fileOf(charge, row))
        await confirmRegister(registerId, { waiver: { reason: 'Спросим партнёра' } })
        await refreshDefects(partner)
        assert.deepEqual(await exposuresOf(partner), ['90000 BUYER'])
      })
})
