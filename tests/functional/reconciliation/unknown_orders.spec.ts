import { findRegister } from '#reconciliation/store/find_register'
import { equalSalesOf } from '#reconciliation/store/propose_source_setup'
import { refreshDefects } from '#tests/support/cases'
import { aSale, paymentOf } from '#tests/support/fixtures'
import { cpuMsDuring } from '#tests/support/cpu_time'
import { confirm } from '#tests/support/operations'
import {
  caseExposureOf,
  daysAgo,
  defectsOf,
  exposuresOf,
  minutesAfter,
  noonOn,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  COVERS_ALL,
  categoriesOf,
  confirmRegister,
  confirmedRegister,
  fileOf,
  lineOf,
  matchedRegister,
  partnerFieldsOf,
  refusalOf,
  setUpAndRead,
  soldOrderOf,
} from '#tests/support/registers'
import { ownerRows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

test.group('Payments of unknown orders', () => {
  test('payments count once per payment id', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const named = (name: string, payment: string) => `${name};${payment};${noonOn(0)};7000;Оплата`
    const [once, twice, confirmedName] = ['o', 'p', 'TIX'].map(
      (name) => `${name}-${sale.partner.code}`
    )
    const payment = paymentOf(7_000)
    await confirm(sale.client, confirmedName, payment)
    const confirmedRow = named(confirmedName, payment.payment_info.external_payment_id)
    for (const rowsOfIt of [
      [named(once, 'pay-9'), named(twice, 'pay-8')],
      [
        named(once, ''),
        named(twice, 'pay-8'),
        named(twice, 'pay-7'),
        confirmedRow,
        named(confirmedName, 'pay-6'),
      ],
    ])
      await confirmedRegister(sale.partner, fileOf(sold, ...rowsOfIt))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(once), { buyer: 7_000 })
    assert.deepEqual(await caseExposureOf(twice), { buyer: 14_000 })
    assert.deepEqual(await caseExposureOf(confirmedName), { buyer: 14_000 })
  })

  test('a repeated row counts once', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const row = (tenge: number, kind: string) =>
      `o-${sale.partner.code};pay-9;${noonOn(0)};${tenge};${kind}`
    const back = row(-3_000, 'Возврат')
    const registerId = await confirmedRegister(
      sale.partner,
      fileOf(sold, row(7_000, 'Оплата'), back, back)
    )
    assert.include(await categoriesOf(registerId), 'DUP_IN_FILE')
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['4000 BUYER'])
  })

  test('equal rows of an unknown order are asked about, and are separate tickets where a row is a ticket', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `o-${sale.partner.code}`
    const ticket = `${name};pay-9;${noonOn(0)};12000;Оплата`
    const file = fileOf(sold, ticket, ticket, ticket, ticket)
    const registerId = await matchedRegister(sale.partner, file)
    const refused = await refusalOf(confirmRegister(registerId))
    assert.deepInclude(refused, { refusalCode: 'SETUP_UNANSWERED' })
    await setUpAndRead(registerId, { rowIs: 'ticket' })
    assert.notInclude(await categoriesOf(registerId), 'DUP_IN_FILE')
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(name), { buyer: 48_000 })
  })

  test('equal rows of an unknown order are asked about wherever they stand in the file', async ({
    assert,
  }) => {
    const sale = await aSale()
    const row = (name: string) => `${name};pay-${name};${noonOn(0)};12000;Оплата`
    const others = Array.from({ length: 2_000 }, (_, n) => row(`o-${n}`))
    const file = fileOf(row('twice'), ...others, row('thrice'), row('thrice'), row('thrice'))
    const asked = async (content: string) => {
      const registerId = await matchedRegister(sale.partner, content)
      const { control } = await findRegister(registerId)
      return control!.proposals!.filter(({ about }) => about === 'equalRows')
    }
    assert.deepEqual(await asked(`${file}\r\n${row('twice')}`), [
      {
        about: 'equalRows',
        value: 'unclear',
        fits: 5,
        of: 5,
        isProven: false,
        examples: [2, 2006, 2003].map((line) => ({ line, found: '12000', tenge: null })),
      },
    ])
    // Of a known order it is seen that its payment was written again.
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    assert.deepEqual(await asked(fileOf(...others, sold, sold)), [])
  })

  test('of very many equal rows the first are read, and all are counted; those of known orders are not', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await soldOrderOf(sale, ['seat-2-1'])
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(sold)))
    const { key, payment } = await partnerFieldsOf(sold)
    await ownerRows(
      `INSERT INTO partner_register_rows (register_id, line, order_key, payment_id, amount_tenge, returned_tenge, kind, is_not_paid,
              is_unparseable, problems)
       SELECT ?, line, CASE line / 2 WHEN 5 THEN ? ELSE 'o-' || line / 2 END, CASE line / 2 WHEN 6 THEN ? END,
              12000, 0, 'sale', false, false, '[]'
         FROM generate_series(10, 5009) line`,
      registerId,
      key,
      payment
    )
    const { count, first } = await equalSalesOf({ id: registerId, partnerId: sale.partner.id })
    assert.deepEqual([count, first.length], [4_996, 2_000])
    assert.deepEqual(first[0], {
      ids: ['o-7'],
      tenge: 12_000n,
      firstLine: 14,
      secondLine: 15,
      count: 2,
    })
  })

  test('equal rows by a payment number of very many orders of another partner are found at once', async ({
    assert,
  }) => {
    const [sale, other] = [await aSale(), await aSale()]
    const sold = await soldOrderOf(sale, ['seat-2-1'])
    const theirs = await soldOrderOf(other, ['seat-2-1'])
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(sold)))
    const trx = await db.connection('owner').transaction()
    try {
      await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
      // Filling takes its time on a busy machine.
      await trx.rawQuery(`SET LOCAL statement_timeout = '60s'`)
      await trx.rawQuery(
        `INSERT INTO partner_register_rows (register_id, line, order_key, payment_id, amount_tenge, returned_tenge, kind, is_not_paid,
                is_unparseable, problems)
         SELECT ?, line, 'o-' || line / 2, 'SHOP', 12000, 0, 'sale', false, false, '[]' FROM generate_series(10, 10009) line`,
        [registerId]
      )
      await trx.rawQuery(
        `INSERT INTO orders
         SELECT (jsonb_populate_record(o, jsonb_build_object('id', 'TIX-2026-' || n, 'partner_order_id', 'of another one ' || n,
                  'booking_id', gen_random_uuid(), 'payment_external_id', 'SHOP'))).*
           FROM orders o, generate_series(500001, 520000) n WHERE o.id = ?`,
        [theirs]
      )
      await trx.rawQuery(`SET LOCAL statement_timeout = '10s'`)
      const { count } = await equalSalesOf({ id: registerId, partnerId: sale.partner.id }, trx)
      assert.equal(count, 10_000)
    } finally {
      await trx.rollback()
    }
  })

  test('a row without any id counts once when the file is sent again', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const header = 'Номер заказа;ID платежа;Дата оплаты;Сумма;Тип операции;Email'
    const file = [header, `${await lineOf(orderId)};a@b.kz`, `;;${noonOn(0)};7000;Оплата;c@d.kz`]
    await confirmedRegister(sale.partner, file.join('\r\n'))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
    await confirmedRegister(sale.partner, file.join('\n'))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a payment counts once with and without its order number', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const pay = `pay-${sale.partner.code}`
    await confirmedRegister(sale.partner, fileOf(sold, `o-1;${pay};${noonOn(0)};7000;Оплата`))
    await confirmedRegister(sale.partner, fileOf(sold, `;${pay};${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('two payments without ids are the same two that another register has with ids', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `o-${sale.partner.code}`
    const [first, second] = [noonOn(0), noonOn(0).replace('12:00:00', '12:05:00')]
    const row = (pay: string, at: string) => `${name};${pay};${at};7000;Оплата`
    await confirmedRegister(sale.partner, fileOf(sold, row('pay-1', first), row('pay-2', second)))
    await confirmedRegister(sale.partner, fileOf(sold, row('', first), row('', second)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['14000 BUYER'])
  })

  test('payments count once in a monthly register with ids and two weekly ones without', async ({
    assert,
  }) => {
    const sale = await aSale()
    const row = (pay: string, day: number) => `o-1;${pay};${noonOn(day)};7000;Оплата`
    await confirmedRegister(sale.partner, fileOf(row('p-1', -12), row('p-2', -5)), daysAgo(20, 0))
    await confirmedRegister(sale.partner, fileOf(row('', -12)), daysAgo(14, 7))
    await confirmedRegister(sale.partner, fileOf(row('', -5)), daysAgo(7, 0))
    await refreshLastDays(sale.partner, 30)
    assert.deepEqual(await exposuresOf(sale.partner), ['14000 BUYER'])
  })

  test('a confirm with a smaller amount does not reduce the amount of the register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const name = `TIX-${sale.partner.code}`
    const payment = paymentOf(5_000)
    await confirm(sale.client, name, payment)
    const id = payment.payment_info.external_payment_id
    await confirmedRegister(sale.partner, fileOf(sold, `${name};${id};${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('the same order number and payment id at two partners are two payments', async ({
    assert,
  }) => {
    const [one, other] = [await aSale(), await aSale()]
    for (const sale of [one, other]) {
      const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
      await confirmedRegister(
        sale.partner,
        fileOf(sold, `o-same;pay-same;${noonOn(0)};7000;Оплата`)
      )
      await confirmedRegister(sale.partner, fileOf(sold, `;pay-same;${noonOn(0)};7000;Оплата`))
    }
    for (const { partner } of [one, other]) {
      await refreshDefects(partner)
      assert.deepEqual(await exposuresOf(partner), ['7000 BUYER'])
    }
  })

  test('an order of another partner is unknown', async ({ assert }) => {
    const [one, other] = [await aSale(), await aSale()]
    const theirs = await soldOrderOf(other, ['seat-2-3'])
    const sold = await lineOf(await soldOrderOf(one, ['seat-2-1']))
    const file = fileOf(sold, `${theirs};pay-1;${noonOn(-10)};7000;Оплата`)
    const registerId = await matchedRegister(one.partner, file, daysAgo(12, -1))
    await confirmRegister(registerId, { waiver: { reason: 'Это их номера' } })
    await refreshLastDays(one.partner, 20)
    await refreshDefects(one.partner)
    await refreshDefects(other.partner)
    assert.deepEqual(await exposuresOf(one.partner), ['7000 BUYER'])
    assert.deepEqual(await exposuresOf(other.partner), [])
  })

  test('ten thousand payments of one order number are evaluated in seconds', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const lines = Array.from(
      { length: 10_000 },
      (_, n) => `Терминал 1;pay-${n};${noonOn(0)};100;Оплата`
    )
    await confirmedRegister(sale.partner, fileOf(sold, ...lines), { setup: COVERS_ALL })
    const took = await cpuMsDuring(() => refreshDefects(sale.partner))
    assert.deepEqual(await exposuresOf(sale.partner), ['1000000 BUYER'])
    // Comparing all pairs would take far longer.
    assert.isBelow(took, 10_000)
  }).timeout(200_000)
})

test.group('Refunds of unknown orders', () => {
  test('partial refunds in later registers settle the payment', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `o-${sale.partner.code}`
    const row = (when: string, tenge: number) => `${name};pay-9;${when};${tenge};Оплата`
    const confirmFile = async (day: number, ...lines: string[]) => {
      await confirmedRegister(sale.partner, fileOf(sold, ...lines), daysAgo(day, day - 1))
      await refreshLastDays(sale.partner, 4)
    }
    await confirmFile(2, row(noonOn(-2), 7_000))
    await confirmFile(1, row(noonOn(-1), -3_000))
    assert.deepEqual(await caseExposureOf(name), { buyer: 4_000 })
    await confirmFile(0, row(noonOn(0), -4_000))
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('a declined refund does not count', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const row = (tenge: number, kind: string) =>
      `o-${sale.partner.code};pay-9;${noonOn(0)};${tenge};${kind}`
    const file = fileOf(sold, row(7_000, 'Оплата'), row(-7_000, 'Возврат отклонён'))
    await confirmedRegister(sale.partner, file)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a refund settles the payment of a refused confirm', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `TIX-${sale.partner.code}`
    const payment = paymentOf(7_000)
    await confirm(sale.client, name, payment)
    const id = payment.payment_info.external_payment_id
    const row = (tenge: number, kind: string) => `${name};${id};${noonOn(0)};${tenge};${kind}`
    await confirmedRegister(
      sale.partner,
      fileOf(sold, row(7_000, 'Оплата'), row(-7_000, 'Возврат'))
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a refund settles the payment whose id it has', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `TIX-${sale.partner.code}`
    const payment = paymentOf(7_000)
    await confirm(sale.client, name, payment)
    const confirmedId = payment.payment_info.external_payment_id
    const row = (id: string, tenge: number, kind: string) =>
      `${name};${id};${noonOn(0)};${tenge};${kind}`
    const file = fileOf(
      sold,
      row(confirmedId, 7_000, 'Оплата'),
      row('pay-2', 7_000, 'Оплата'),
      row('pay-2', -7_000, 'Возврат')
    )
    await confirmedRegister(sale.partner, file)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a refund may have the payment id alone', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const pay = `pay-${sale.partner.code}`
    await confirmedRegister(sale.partner, fileOf(sold, `o-1;${pay};${noonOn(0)};7000;Оплата`))
    await confirmedRegister(sale.partner, fileOf(sold, `;${pay};${noonOn(0)};-7000;Возврат`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('refunds with and without payment ids count once, whether payments are by ticket or by order', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const row = (pay: string, tenge: number, minutes: number) =>
      `o-1;${pay};${minutesAfter(noonOn(0), minutes)};${tenge};${tenge < 0 ? 'Возврат' : 'Оплата'}`
    await confirmedRegister(sale.partner, fileOf(sold, row('p', 5_000, 1), row('p', 7_000, 2)))
    await confirmedRegister(sale.partner, fileOf(sold, row('', 12_000, 1)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, row('', -5_000, 9)))
    await confirmedRegister(sale.partner, fileOf(sold, row('p', -5_000, 9)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })
})
