import { refreshDefects } from '#tests/support/cases'
import { exposuresOf, minutesAfter, noonOn } from '#tests/support/register_defects'
import {
  confirmRegister,
  fileOf,
  lineOf,
  matchedRegister,
  midnight,
  saleOfOrders,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

type Sale = Awaited<ReturnType<typeof saleOfOrders>>
const SECOND = { payment: 'wallet-second', at: minutesAfter(noonOn(0), 30) }

/** A register of some orders, as the partner's payment system of this name has them, and further lines. */
async function confirmedRegisterOf(
  { partner }: Sale,
  sourceName: string,
  orders: string[],
  more: string[] = [],
  replaces: number[] = []
) {
  const lines = await Promise.all(orders.map((id) => lineOf(id)))
  const registerId = await matchedRegister(partner, fileOf(...lines, ...more), { sourceName })
  await confirmRegister(registerId, { replaces, waiver: { reason: 'Проверено' } })
  return registerId
}

test.group('A second charge that stands alone in the register of another source', () => {
  for (const isWalletsFirst of [false, true])
    test(`is owed to the buyer until it is returned, ${isWalletsFirst ? 'wallets' : 'cards'} first`, async ({
      assert,
    }) => {
      const sale = await saleOfOrders(6)
      await setTerms(sale.partner, { refundEvidenceDays: 0 })
      const { partner, orders } = sale
      const [cards, wallets] = [orders.slice(0, 4), orders.slice(4)]
      const second = await lineOf(orders[0], SECOND)
      const confirmCards = () => confirmedRegisterOf(sale, 'Карты', cards)
      if (!isWalletsFirst) await confirmCards()
      const registerId = await confirmedRegisterOf(sale, 'Кошельки', wallets, [second])
      if (isWalletsFirst) await confirmCards()
      await refreshDefects(partner)
      assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])

      const back = await lineOf(orders[0], {
        ...SECOND,
        at: minutesAfter(noonOn(0), 45),
        tenge: '-12000',
      })
      await confirmedRegisterOf(sale, 'Кошельки', wallets, [second, back], [registerId])
      await refreshDefects(partner)
      assert.deepEqual(await exposuresOf(partner), [])
    })

  test('is found in all days of a source, once more of its registers show that it has a part of the sales', async ({
    assert,
  }) => {
    const sale = await saleOfOrders(6)
    const { partner, orders } = sale
    const checksByClock = () =>
      rows(
        `SELECT params ->> 'from' AS "from", params ->> 'to' AS "to" FROM settlement_runs
          WHERE partner_id = ? AND kind = 'check_period' AND asked_by_kind = 'clock'`,
        partner.id
      )
    const second = await lineOf(orders[0], SECOND)
    await confirmedRegisterOf(sale, 'Карты', orders.slice(0, 4))
    const registerId = await confirmedRegisterOf(sale, 'Кошельки', orders.slice(2), [second])
    await refreshDefects(partner)
    // Two of six may be lacking by mistake.
    assert.deepEqual(await exposuresOf(partner), [])
    assert.deepEqual(await checksByClock(), [])

    await confirmedRegisterOf(sale, 'Кошельки', orders.slice(4), [second], [registerId])
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
    const days = { from: midnight(-2).toISOString(), to: midnight(2).toISOString() }
    assert.deepEqual(await checksByClock(), [days])
    await refreshDefects(partner)
    assert.deepEqual(await checksByClock(), [days])
  })

  test('is none where a bank shows all sales under numbers of its own, also undeclared', async ({
    assert,
  }) => {
    const sale = await saleOfOrders(3)
    const { partner, orders } = sale
    await confirmedRegisterOf(sale, 'Карты', orders.slice(0, 2))
    const ofBank = await Promise.all(
      orders.map((id, index) => lineOf(id, { payment: `rrn-${index}77` }))
    )
    await confirmedRegisterOf(sale, 'Банк', [], ofBank)
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), [])
  })

  test('is none where a shop and its bank show the same sales, and the shop has one id wrong', async ({
    assert,
  }) => {
    const sale = await saleOfOrders(4)
    const { partner, orders } = sale
    const wrong = await lineOf(orders[0], { payment: 'mistyped-77' })
    await confirmedRegisterOf(sale, 'Магазин', orders.slice(1), [wrong])
    await confirmedRegisterOf(sale, 'Банк', orders)
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), [])
  })
})
