import { findRegister } from '#reconciliation/store/find_register'
import { findSource } from '#reconciliation/store/register_source'
import { aStaffMember } from '#tests/support/browser'
import { refreshDefects } from '#tests/support/cases'
import { aSale } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { signedIn } from '#tests/support/page_client'
import { exposuresOf } from '#tests/support/register_defects'
import {
  categoriesOf,
  confirmRegister,
  confirmedRegister,
  fileOf,
  lineOf,
  matchedRegister,
  partnerFieldsOf,
  refusalOf,
  saleOfOrders,
  setUpAndRead,
  setUpSource,
  soldOrderOf,
  stateOfRegister,
  ticketsOf,
  versionOf,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { performRuns } from '#tests/support/runs'
import { test } from '@japa/runner'

const sourceName = 'Магазин'
const WAIVER = { waiver: { reason: 'Проверено с партнёром' } }
const STATES = 'Номер заказа;ID платежа;Дата оплаты;Сумма;Возвращено;Статус'

async function proposalsOf(registerId: number) {
  const { control } = await findRegister(registerId)
  return control!.proposals!
}

/** Orders of 90,000, 24,000 and 12,000: all of the first was refunded, half of the second. */
async function saleWithRefunds() {
  const sale = await aSale()
  const [returned, partly, paid] = [
    await soldOrderOf(sale, ['seat-1-1', 'seat-1-2']),
    await soldOrderOf(sale, ['seat-2-1', 'seat-2-2']),
    await soldOrderOf(sale, ['seat-2-3']),
  ]
  await refund(sale.client, returned, await ticketsOf(returned))
  const [first] = await ticketsOf(partly)
  await refund(sale.client, partly, [first])
  return { ...sale, returned, partly, paid }
}

/** A line of a register of states. */
async function stateOf(orderId: string, state: string, returned = '') {
  const { key, payment, at, tenge } = await partnerFieldsOf(orderId)
  return [key, payment, at, tenge, returned, state].join(';')
}

const statesOf = (...lines: string[]) => [STATES, ...lines].join('\n')

test.group('A register whose rows show states of orders', () => {
  test('is proposed with its words; once a person agrees, sales and returns agree to the tenge', async ({
    assert,
  }) => {
    const sale = await saleWithRefunds()
    const file = statesOf(
      await stateOf(sale.returned, 'возвращён'),
      await stateOf(sale.partly, 'частично возвращён', '12 000'),
      await stateOf(sale.paid, 'оплачен')
    )
    const registerId = await matchedRegister(sale.partner, file, { sourceName })
    const [proposal] = await proposalsOf(registerId)
    assert.deepEqual(proposal, {
      about: 'rowsShow',
      value: 'states',
      fits: 3,
      of: 3,
      isProven: false,
      examples: [
        { line: 2, found: 'возвращён', tenge: null },
        { line: 3, found: 'частично возвращён', tenge: null },
        { line: 4, found: 'оплачен', tenge: null },
      ],
    })
    // A waiver does not help: the figures would be wrong by all that went back.
    const unanswered = await refusalOf(confirmRegister(registerId, WAIVER))
    assert.equal(unanswered!.refusalCode, 'SETUP_UNANSWERED')
    await setUpAndRead(registerId, { rowsShow: 'states' })
    assert.deepEqual(await proposalsOf(registerId), [])
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED', 'MATCHED', 'MATCHED'])
    const { control } = await findRegister(registerId)
    assert.include(control!, { sumTenge: '126000', returnedTenge: '102000' })
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('can be turned down: the register is then read as operations', async ({ assert }) => {
    const sale = await saleWithRefunds()
    const file = statesOf(
      await stateOf(sale.returned, 'возвращён'),
      await stateOf(sale.partly, 'частично возвращён', '12 000'),
      await stateOf(sale.paid, 'оплачен')
    )
    const registerId = await matchedRegister(sale.partner, file, { sourceName })
    await setUpAndRead(registerId, { rowsShow: 'operations' })
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.isNotEmpty(await exposuresOf(sale.partner))
  })

  test('is not proposed where an order has a second row, or a refund is an operation', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [first, second] = [await lineOf(orders[0]), await lineOf(orders[1])]
    const operations = fileOf(first, second.replace('Оплата', 'Возврат'))
    assert.deepEqual(await proposalsOf(await matchedRegister(partner, operations)), [])
    const twice = fileOf(first, first.replace('Оплата', 'Возвращено'))
    assert.deepEqual(await proposalsOf(await matchedRegister(partner, twice)), [])
  })
})

test.group('Amounts of a whole column', () => {
  const FEES = 'Номер заказа;ID платежа;Дата оплаты;Сумма;Комиссия;Тип операции'
  const withFees = async (orderId: string, tenge: string, fee: string) => {
    const { key, payment, at } = await partnerFieldsOf(orderId)
    return [key, payment, at, tenge, fee, 'Оплата'].join(';')
  }

  test('net of a fee are compared gross to gross', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(3)
    const [one, two, three] = await Promise.all([
      withFees(orders[0], '11 640', '360'),
      withFees(orders[1], '11 640', '-360'),
      withFees(orders[2], '11 500', '360'),
    ])
    const total = 'Итого;;;34 780;;'
    const registerId = await matchedRegister(partner, [FEES, one, two, three, total].join('\n'))
    assert.containSubset(await proposalsOf(registerId), [
      {
        about: 'amountsAre',
        value: 'net',
        fits: 2,
        of: 3,
        examples: [{ line: 2, found: '11 640', tenge: '12000' }],
      },
    ])
    const unanswered = await refusalOf(confirmRegister(registerId, WAIVER))
    assert.equal(unanswered!.refusalCode, 'SETUP_UNANSWERED')
    await setUpAndRead(registerId, { amountsAre: 'net' })
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED', 'MATCHED', 'AMOUNT_DIFF'])
    const { control } = await findRegister(registerId)
    assert.include(control!, { sum: 'AGREES', sumAgreesWith: 'net', feesAddedTenge: '1080' })
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['140 PLATFORM'])
  })

  test('in tiyn are named so with the probable figures, and divided once a person has said it', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const inTiyn = async (orderId: string) => lineOf(orderId, { tenge: '1200000' })
    const file = fileOf(await inTiyn(orders[0]), await inTiyn(orders[1]))
    const registerId = await matchedRegister(partner, file, { sourceName })
    assert.deepEqual(await proposalsOf(registerId), [
      {
        about: 'unit',
        value: 'tiyn',
        fits: 2,
        of: 2,
        isProven: true,
        examples: [
          { line: 2, found: '1200000', tenge: '12000' },
          { line: 3, found: '1200000', tenge: '12000' },
        ],
      },
    ])
    await setUpAndRead(registerId, { unit: 'tiyn' })
    assert.deepEqual(await categoriesOf(registerId), ['MATCHED', 'MATCHED'])
    await confirmRegister(registerId)

    // The next file of the source is in tenge: it contradicts what a person has said.
    const { sourceId } = await findRegister(registerId)
    const next = fileOf(await lineOf(orders[0]), await lineOf(orders[1]))
    const other = await matchedRegister(partner, next, { sourceId })
    assert.containSubset(await proposalsOf(other), [
      { about: 'unit', value: 'tenge', fits: 2, of: 2 },
    ])
    const contradicted = await refusalOf(confirmRegister(other))
    assert.equal(contradicted!.refusalCode, 'SETUP_CONTRADICTED')
  })
})

test.group('What a row is', () => {
  /** Two orders of two seats: 24,000 each, 12,000 a ticket. */
  async function twoOrders() {
    const sale = await aSale()
    const orders = [
      await soldOrderOf(sale, ['seat-2-1', 'seat-2-2']),
      await soldOrderOf(sale, ['seat-2-3', 'seat-2-4']),
    ]
    const linesOf = (tenge: string) => Promise.all(orders.map((id) => lineOf(id, { tenge })))
    return { ...sale, orders, linesOf }
  }

  test('rows that add up to their order are proposed as tickets, and asked about once', async ({
    assert,
  }) => {
    const { partner, linesOf } = await twoOrders()
    const lines = await linesOf('12000')
    const registerId = await matchedRegister(partner, fileOf(...lines, ...lines), { sourceName })
    const [proposal] = await proposalsOf(registerId)
    assert.containSubset(proposal, { about: 'rowIs', value: 'ticket', fits: 4, of: 4 })
    assert.deepEqual(
      proposal.examples.map(({ line, found }) => [line, found]),
      [
        [2, '12000'],
        [4, '12000'],
        [3, '12000'],
      ]
    )
    assert.containSubset(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'SETUP_UNANSWERED',
    })
    await setUpAndRead(registerId, { rowIs: 'ticket' })
    assert.deepEqual(await proposalsOf(registerId), [])
    await confirmRegister(registerId)
    assert.deepEqual(await exposuresOf(partner), [])
  })

  test('a payment written twice, and one order that was charged by two payments, are no tickets', async ({
    assert,
  }) => {
    const { partner, orders, linesOf } = await twoOrders()
    const [whole] = await linesOf('24000')
    const halves = [
      await lineOf(orders[1], { tenge: '12000', payment: 'pay-half-1' }),
      await lineOf(orders[1], { tenge: '12000', payment: 'pay-half-2' }),
    ]
    const registerId = await matchedRegister(partner, fileOf(whole, whole, ...halves), {
      sourceName,
    })
    assert.deepEqual(await proposalsOf(registerId), [])
  })

  test('a source of tickets whose rows each have the whole order is asked whether they are payments', async ({
    assert,
  }) => {
    const { partner, linesOf } = await twoOrders()
    const lines = await linesOf('24000')
    const registerId = await matchedRegister(partner, fileOf(...lines, ...lines), { sourceName })
    await setUpAndRead(registerId, { rowIs: 'ticket' })
    assert.containSubset(await proposalsOf(registerId), [
      { about: 'rowIs', value: 'payment', fits: 4, of: 4, isProven: false },
    ])
  })
})

test.group('The set-up of a source in the back office', () => {
  test('is proposed before the file is read, answered on the register’s page, and read again', async ({
    assert,
  }) => {
    const sale = await saleWithRefunds()
    const finance = await signedIn(await aStaffMember('finance'))
    const file = statesOf(
      await stateOf(sale.returned, 'возвращён'),
      await stateOf(sale.partly, 'частично возвращён', '12000'),
      await stateOf(sale.paid, 'оплачен')
    )
    const registerId = await matchedRegister(sale.partner, file, { sourceName })
    await performRuns(sale.partner)
    const preview = await finance.get(`/registers/${registerId}/mapping`)
    assert.containSubset(preview.props.proposals, [{ about: 'rowsShow', value: 'states', fits: 3 }])
    const page = await finance.get(`/registers/${registerId}`)
    assert.containSubset(page.props.obstacles, { setupUnanswered: [{ about: 'rowsShow' }] })
    const refused = await finance.errorsAfter(
      finance.post(`/registers/${registerId}/confirmation`, {
        version: await versionOf(registerId),
      })
    )
    assert.deepEqual(refused, { form: 'refused.SETUP_UNANSWERED' })
    const { sourceId } = await findRegister(registerId)
    const { version } = await findSource(sourceId)
    await finance.put(`/registers/${registerId}/setup`, {
      version,
      name: sourceName,
      rowIs: 'order',
      rowsShow: 'states',
      amountsAre: 'gross',
      unit: 'tenge',
      coversSales: true,
      coversRefunds: true,
    })
    await performRuns(sale.partner)
    const { props } = await finance.get(`/registers/${registerId}`)
    assert.containSubset(props.register, { state: 'matched', control: { returnedTenge: 102_000 } })
    assert.isNull(props.obstacles.setupUnanswered)
  })

  test('a new name alone is no answer; leaving everything as it is may be one', async ({
    assert,
  }) => {
    const sale = await saleWithRefunds()
    const file = statesOf(
      await stateOf(sale.returned, 'возвращён'),
      await stateOf(sale.paid, 'оплачен')
    )
    const registerId = await matchedRegister(sale.partner, file, { sourceName })
    const { sourceId } = await findRegister(registerId)
    const finance = await signedIn(await aStaffMember('finance'))
    const setUp = async (setup: object) => {
      const { version } = await findSource(sourceId)
      await finance.put(`/registers/${registerId}/setup`, { version, ...setup })
      const { name, isSetUp } = await findSource(sourceId)
      return { name, isSetUp }
    }
    const asItWas = { rowIs: 'payment', rowsShow: 'operations', amountsAre: 'gross', unit: 'tenge' }
    assert.deepEqual(await setUp({ name: 'Касса' }), { name: 'Касса', isSetUp: false })
    assert.deepEqual(await setUp({ name: 'Сайт', ...asItWas }), { name: 'Сайт', isSetUp: false })
    assert.equal(
      (await refusalOf(confirmRegister(registerId, WAIVER)))!.refusalCode,
      'SETUP_UNANSWERED'
    )
    const answer = { name: 'Сайт', ...asItWas, isSetupDecided: true }
    assert.deepEqual(await setUp(answer), { name: 'Сайт', isSetUp: true })
    await confirmRegister(registerId)
  })

  test('a change makes other registers of the source unread, but not confirmed ones', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const confirmed = await confirmedRegister(partner, fileOf(await lineOf(orders[0])), {
      sourceName,
    })
    const { sourceId } = await findRegister(confirmed)
    const matched = await matchedRegister(partner, fileOf(await lineOf(orders[1])), { sourceId })
    const { version } = await findSource(sourceId)
    await setUpSource(confirmed, { unit: 'tiyn' })
    assert.equal(await stateOfRegister(matched), 'mapped')
    assert.equal(await stateOfRegister(confirmed), 'confirmed')
    assert.containSubset(await findSource(sourceId), { version: version + 1, isSetUp: true })
    const [{ change: entry }] = await rows(
      `SELECT change FROM journal WHERE partner_id = ? AND name = 'register_source_changed'`,
      partner.id
    )
    assert.deepInclude(entry, {
      changed: { unit: { from: 'tenge', to: 'tiyn' }, isSetUp: { from: false, to: true } },
    })
  })
})
