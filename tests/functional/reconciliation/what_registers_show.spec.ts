import ConfirmRegister from '#reconciliation/actions/confirm_register'
import DecideFeeRule from '#reconciliation/actions/decide_fee_rule'
import DropRegister from '#reconciliation/actions/drop_register'
import RemoveRegisterPart from '#reconciliation/actions/remove_register_part'
import { readProblems } from '#reconciliation/store/confirmation_problems'
import { readCase } from '#finance/cases/read_case'
import { listMatches } from '#finance/registers/list_matches'
import { findRegister } from '#reconciliation/store/find_register'
import { aStaffMember } from '#tests/support/browser'
import { latePayment, refreshDefects } from '#tests/support/cases'
import { aSale, paymentOf, TESTER } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { signedIn } from '#tests/support/page_client'
import {
  caseExposureOf,
  daysAgo,
  defectsOf,
  exposuresOf,
  noonOn,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  addFile,
  ASKER,
  categoriesOf,
  confirmRegister,
  confirmedRegister,
  decideFeeRule,
  decideMatches,
  fileOf,
  lineOf,
  matchAgain,
  matchedRegister,
  matchesOf,
  partnerFieldsOf,
  readAndMatch,
  refusalOf,
  saleOfOrders,
  setUpSource,
  soldOrderOf,
  stateOfRegister,
  ticketsOf,
  versionOf,
} from '#tests/support/registers'
import { one, ownerRows } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

const NO_FILTERS = {
  category: null,
  step: null,
  decision: null,
  owner: null,
  q: null,
  before: null,
}

const sourceName = 'Магазин'

/** `refunds 1`: what a register suggests its source covers, and by how many rows. */
async function coverageAskedOf(registerId: number) {
  const { setupUnanswered } = await readProblems(await findRegister(registerId))
  const asked = (setupUnanswered ?? []).filter(({ about }) => about === 'covers')
  return asked.map(({ value, fits }) => `${value} ${fits}`)
}

test.group('What a register covers', () => {
  test('a source of refunds is not asked for sales, nor one of sales for refunds', async ({
    assert,
  }) => {
    const { partner, client, orders } = await saleOfOrders(2)
    const [refunded, other] = orders
    await refund(client, refunded, await ticketsOf(refunded))
    const back = await lineOf(refunded, { tenge: '-12000' })
    const refunds = await matchedRegister(partner, fileOf(back), { sourceName: 'Возвраты' })
    await setUpSource(refunds, { coversSales: false })
    await readAndMatch(refunds)
    assert.deepEqual(await matchesOf(refunds), [`MATCHED EXACT [2] ${refunded}`])
    await confirmRegister(refunds)

    const charges = fileOf(await lineOf(refunded), await lineOf(other))
    const sales = await matchedRegister(partner, charges, { sourceName })
    await setUpSource(sales, { coversRefunds: false })
    await readAndMatch(sales)
    assert.deepEqual(await categoriesOf(sales), ['MATCHED', 'MATCHED'])
    await confirmRegister(sales)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
  })

  test('a file of refunds alone proposes that its source has no sales; a person decides', async ({
    assert,
  }) => {
    const { partner, client, orders } = await saleOfOrders(2)
    const [refunded] = orders
    await refund(client, refunded, await ticketsOf(refunded))
    const back = await lineOf(refunded, { tenge: '-12000' })
    const registerId = await matchedRegister(partner, fileOf(back), { sourceName: 'Возвраты' })
    const { setupUnanswered } = await readProblems(await findRegister(registerId))
    assert.deepEqual(setupUnanswered, [
      {
        about: 'covers',
        value: 'refunds',
        fits: 1,
        of: 1,
        isProven: false,
        examples: [{ line: 2, found: '-12000', tenge: null }],
      },
    ])
    const refused = await refusalOf(confirmRegister(registerId))
    assert.equal(refused!.refusalCode, 'SETUP_UNANSWERED')
    await setUpSource(registerId, { coversSales: false })
    await readAndMatch(registerId)
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
  })

  test('a file of refunds alone asks nothing where an earlier register of the source has sales', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const line = await lineOf(orders[0])
    const first = await matchedRegister(partner, fileOf(line), { sourceName, ...daysAgo(5, 3) })
    const { sourceId } = await findRegister(first)
    const back = await lineOf(orders[0], { tenge: '-12000' })
    const registerId = await matchedRegister(partner, fileOf(back), { sourceId })
    assert.deepEqual(await coverageAskedOf(registerId), [])
  })

  test('what a source covers is proposed from all files of a register and all registers as they are now, until a person has said it', async ({
    assert,
  }) => {
    const { partner } = await saleOfOrders(1)
    const sales = Array.from({ length: 20 }, (_, n) => `o-${n};;${noonOn(-1)};5000;Оплата`)
    const back = `o-1;;${noonOn(-1)};-5000;Возврат`
    const first = await matchedRegister(partner, fileOf(back), { sourceName })
    assert.deepEqual(await coverageAskedOf(first), ['refunds 1'])
    await addFile(first, fileOf(...sales))
    assert.deepEqual(await coverageAskedOf(first), [])
    const version = await versionOf(first)
    await new RemoveRegisterPart().handle({
      registerId: first,
      version,
      number: 2,
      actor: TESTER,
    })
    await readAndMatch(first)
    assert.deepEqual(await coverageAskedOf(first), ['refunds 1'])

    const { sourceId } = await findRegister(first)
    const other = await matchedRegister(partner, fileOf(...sales), { sourceId, ...daysAgo(9, 5) })
    assert.deepEqual(await coverageAskedOf(first), [], 'the other register has sales')
    assert.deepEqual(await coverageAskedOf(other), [], 'the first one has a refund')
    const drop = { registerId: first, version: await versionOf(first), ...ASKER }
    await new DropRegister().handle({ ...drop, reason: 'не тот файл' })
    assert.deepEqual(await coverageAskedOf(other), ['sales 20'])
    await setUpSource(other, { coversRefunds: false })
    await readAndMatch(other)
    assert.deepEqual(await coverageAskedOf(other), [])
  })

  test('many sales without a refund are asked about; a few, or one word that nobody knows, are not', async ({
    assert,
  }) => {
    const { partner } = await saleOfOrders(1)
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => `o-${n};p-${n};${noonOn(-1)};5000;Оплата`)
    const asked = async (...file: string[]) => {
      const registerId = await matchedRegister(partner, fileOf(...file), {
        sourceName: `Источник из ${file.length}`,
      })
      return coverageAskedOf(registerId)
    }
    assert.deepEqual(await asked(...lines(20)), ['sales 20'])
    assert.deepEqual(await asked(...lines(19)), [])
    assert.deepEqual(await asked(...lines(20), `o-0;p-0;${noonOn(-1)};-5000;Возврат`), [])
    const unknown = `o-98;p-98;${noonOn(-1)};5000;Корректура`
    assert.deepEqual(await asked(...lines(20), unknown, unknown), [])
  })

  test('a register that was read by release 0.2.0 opens, and asks what its source covers', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const back = await lineOf(orders[0], { tenge: '-12000' })
    const registerId = await matchedRegister(partner, fileOf(back), { sourceName: 'Возвраты' })
    await ownerRows(
      `UPDATE partner_registers
          SET control = control - ARRAY['proposals', 'words', 'parts', 'skippedTexts', 'returnedTenge', 'feesAddedTenge']
                        || '{"momentStyle": "day_first"}' WHERE id = ?`,
      registerId
    )
    assert.deepEqual(await coverageAskedOf(registerId), ['refunds 1'])
    const finance = await signedIn(await aStaffMember('finance'))
    const { props } = await finance.get(`/registers/${registerId}`)
    assert.containSubset(props.obstacles, { setupUnanswered: [{ about: 'covers' }] })
    assert.include(props.register.control, { refundsTenge: 12_000, returnedTenge: 0 })
    const preview = await finance.get(`/registers/${registerId}/mapping`)
    assert.deepEqual(preview.props.proposals, [])
  })

  test('a later change of its source changes nothing for a confirmed register', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [here, lacking] = orders
    const registerId = await confirmedRegister(partner, fileOf(await lineOf(here)))
    await setUpSource(registerId, { coversSales: false })
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [`MISSING_AT_PARTNER ${lacking} 12000 PLATFORM`])
  })

  test('what a row is decides how registers are matched: they are matched again', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const ticket = `o-stranger;pay-9;${noonOn(0)};12000;Оплата`
    const registerId = await matchedRegister(sale.partner, fileOf(sold, ticket, ticket, ticket))
    assert.deepEqual(await categoriesOf(registerId), [
      'MATCHED',
      'MISSING_AT_PLATFORM',
      'DUP_IN_FILE',
      'DUP_IN_FILE',
    ])
    await setUpSource(registerId, { rowIs: 'ticket' })
    assert.equal(await stateOfRegister(registerId), 'mapped')
    await readAndMatch(registerId)
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['36000 BUYER'])
  })

  test('a confirmation and a change of the set-up at once wait for each other', async ({
    assert,
  }) => {
    for (let round = 0; round < 5; round++) {
      const { partner, orders } = await saleOfOrders(1)
      const registerId = await matchedRegister(partner, fileOf(await lineOf(orders[0])))
      const version = await versionOf(registerId)
      const [confirmed] = await Promise.all([
        refusalOf(new ConfirmRegister().handle({ registerId, version, ...ASKER })),
        setUpSource(registerId, { rowIs: 'ticket' }),
      ])
      const { state } = await findRegister(registerId)
      const outcome = [confirmed?.refusalCode ?? 'confirmed', state]
      assert.include(['confirmed confirmed', 'STALE mapped'], outcome.join(' '))
    }
  })
})

test.group('What rows of a register show', () => {
  test('a row of nothing is no charge: the order is missing', async ({ assert }) => {
    const { partner, orders } = await saleOfOrders(2)
    const [paid, nothing] = orders
    const lines = [await lineOf(nothing, { tenge: '0' }), await lineOf(paid)]
    await confirmedRegister(partner, fileOf(...lines))
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [`MISSING_AT_PARTNER ${nothing} 12000 PLATFORM`])
  })

  test('a net row of nothing is a refunded order', async ({ assert }) => {
    const { partner, client, orders } = await saleOfOrders(1)
    const [orderId] = orders
    await refund(client, orderId, await ticketsOf(orderId))
    const registerId = await confirmedRegister(
      partner,
      fileOf(await lineOf(orderId, { tenge: '0' }))
    )
    assert.deepEqual(await matchesOf(registerId), [`MATCHED EXACT [2] ${orderId}`])
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), [])
  })

  test('a rejected spelling of our order number leads back to no order', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const damaged = orderId.replaceAll('-', '–')
    const line = await lineOf(orderId, { key: damaged, payment: '' })
    const registerId = await matchedRegister(sale.partner, fileOf(line), { sourceName: 'А' })
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    const less = await lineOf(orderId, { tenge: '11000' })
    await confirmedRegister(sale.partner, fileOf(less), { sourceName: 'Б' })
    await refreshDefects(sale.partner)
    assert.sameMembers(await exposuresOf(sale.partner), ['1000 PLATFORM', '12000 BUYER'])
  })

  test('a fee stays a fee where only a suggested refund is rejected', async ({ assert }) => {
    const { partner, client, orders } = await saleOfOrders(20)
    const lines = await Promise.all(orders.map((id) => lineOf(id, { tenge: '12600' })))
    const [orderId] = orders
    await refund(client, orderId, await ticketsOf(orderId))
    const { key } = await partnerFieldsOf(orderId)
    const back = { key: key.toUpperCase(), payment: '', tenge: '-12300' }
    const file = fileOf(...lines, await lineOf(orderId, back))
    const registerId = await matchedRegister(partner, file)
    await decideFeeRule(registerId)
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
  })

  test('a second charge in a later register of the same source is money of the buyer', async ({
    assert,
  }) => {
    const sale = await aSale()
    const { partner } = sale
    const twice = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(partner, '-5 days')
    const first = fileOf(await lineOf(twice))
    await confirmedRegister(partner, first, { sourceName, ...daysAgo(7, 3) })
    const now = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
    const again = await lineOf(twice, { at: noonOn(0), payment: 'another' })
    await confirmedRegister(partner, fileOf(now, again), { sourceName })
    await refreshLastDays(partner, 10)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
  })

  test('a payment that two registers of a source show, made and posted, is one charge', async ({
    assert,
  }) => {
    const { partner, orderId, payment } = await latePayment(['seat-2-1'])
    await moveInTime(partner, '-5 days')
    const key = { payment: payment.payment_info.external_payment_id }
    const made = fileOf(await lineOf(orderId, { ...key, at: noonOn(-5) }))
    await confirmedRegister(partner, made, { sourceName, ...daysAgo(7, 3) })
    const posted = fileOf(await lineOf(orderId, { ...key, at: noonOn(0) }))
    await confirmedRegister(partner, posted, { sourceName })
    await refreshLastDays(partner, 10)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
  })

  test('a payment that a repeated confirm names for a paid order is known by it', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const second = paymentOf(12_000)
    const answer = await confirm(sale.client, orderId, second)
    assert.equal(answer.status, 200)
    const payment = second.payment_info.external_payment_id
    const rows = [
      await lineOf(orderId),
      await lineOf(orderId, { key: '', payment }),
      await lineOf(orderId, { key: '', payment, tenge: '-12000' }),
    ]
    const registerId = await confirmedRegister(sale.partner, fileOf(...rows))
    assert.deepEqual(await matchesOf(registerId), [
      `MATCHED EXACT [2] ${orderId}`,
      'MISSING_AT_PLATFORM NONE [3,4]',
    ])
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('who rejects a suggestion keeps the rows that are known by their ids', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    const { key } = await partnerFieldsOf(orderId)
    const half = await lineOf(orderId, { tenge: '12000' })
    const damaged = await lineOf(orderId, { key: key.toUpperCase(), payment: '', tenge: '12000' })
    const registerId = await matchedRegister(sale.partner, fileOf(half, damaged))
    assert.deepEqual(await matchesOf(registerId), [`MATCHED SUGGESTED_BY_ID [2,3] ${orderId}`])
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { platform: 12_000 })
    assert.deepEqual(await caseExposureOf(key.toUpperCase()), { buyer: 12_000 })
  })

  test('orders of other partners keep a register from being confirmed, and are named', async ({
    assert,
  }) => {
    const [sale, other] = [await aSale(), await aSale()]
    const theirs = await soldOrderOf(other, ['seat-2-3'])
    const line = `${theirs};pay-1;${noonOn(0)};7000;Оплата`
    const registerId = await matchedRegister(sale.partner, fileOf(line))
    const { rows: matches } = await listMatches(registerId, NO_FILTERS, '')
    assert.deepEqual(matches[0].why, [{ code: 'ORDER_OF_OTHER_PARTNER' }])
    assert.deepEqual(await refusalOf(confirmRegister(registerId)), {
      refusalCode: 'FOREIGN_ORDERS',
      count: 1,
      tenge: '7000',
      rows: [{ line: 2, order: theirs, column: 'Номер заказа', found: theirs }],
    })
    await confirmRegister(registerId, { waiver: { reason: 'Партнёр пишет номер соседа' } })
    assert.equal(await stateOfRegister(registerId), 'confirmed')
    await refreshDefects(sale.partner)
    const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', theirs)
    const page = await readCase(id as number)
    assert.deepEqual(page.foreignOrderIds, [theirs])
    assert.deepEqual(page.orders, [])
  })

  test('the file of another partner, with his own numbers, is not confirmed; an equal payment id of another sum is no sign', async ({
    assert,
  }) => {
    const [sale, other] = [await aSale(), await aSale()]
    await soldOrderOf(sale, ['seat-2-1'])
    const [first, second] = [
      await soldOrderOf(other, ['seat-2-3']),
      await soldOrderOf(other, ['seat-2-4']),
    ]
    const file = fileOf(
      await lineOf(first),
      await lineOf(second, { key: '' }),
      await lineOf(first, { tenge: '500' }),
      await lineOf(second, { key: 'o-17' })
    )
    const registerId = await matchedRegister(sale.partner, file)
    const paymentIdOf = async (orderId: string) => {
      const { payment } = await partnerFieldsOf(orderId)
      return payment
    }
    const refused = await refusalOf(confirmRegister(registerId))
    assert.deepEqual(refused, {
      refusalCode: 'FOREIGN_ORDERS',
      count: 2,
      tenge: '24000',
      rows: [
        { line: 2, order: first, column: 'ID платежа', found: await paymentIdOf(first) },
        { line: 3, order: second, column: 'ID платежа', found: await paymentIdOf(second) },
      ],
    })
  })
})

test.group('A fee rule', () => {
  test('is known to all matched registers of its source: they are matched again', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(20)
    const lines = await Promise.all(orders.map((id) => lineOf(id, { tenge: '12600' })))
    const first = await matchedRegister(partner, fileOf(...lines), { sourceName })
    const again = fileOf(...lines.toReversed())
    const second = await matchedRegister(partner, again, { sourceName })
    const bank = await matchedRegister(partner, again + '\n', { sourceName: 'Банк' })
    const versionOfBank = await versionOf(bank)
    const [seen, version] = [await versionOf(second), await versionOf(first)]
    await new DecideFeeRule().handle({
      registerId: first,
      version,
      place: 0,
      isKept: true,
      ...ASKER,
    })
    const refused = await refusalOf(confirmSeen(second, seen))
    assert.equal(refused?.refusalCode, 'STALE')
    const { asked } = await one(
      `SELECT array_agg((params ->> 'registerId')::int ORDER BY id DESC) AS asked
         FROM settlement_runs WHERE kind = 'match_register' AND partner_id = ?`,
      partner.id
    )
    assert.sameMembers((asked as number[]).slice(0, 2), [first, second])
    assert.equal(await versionOf(bank), versionOfBank)
    await matchAgain(bank)
    assert.deepEqual(new Set(await categoriesOf(bank)), new Set(['AMOUNT_DIFF']))
  })
})

const confirmSeen = (registerId: number, version: number) =>
  new ConfirmRegister().handle({ registerId, version, ...ASKER })
