import SetRegisterSource from '#reconciliation/actions/set_register_source'
import { findRegister } from '#reconciliation/store/find_register'
import { findSource } from '#reconciliation/store/register_source'
import { daysOf } from '#reconciliation/store/taken_days'
import { aStaffMember } from '#tests/support/browser'
import { aSale, TESTER } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import {
  confirmRegister,
  fileOf,
  lineOf,
  mapColumns,
  matchedRegister,
  matchesOf,
  midnight,
  readAndMatch,
  refusalOf,
  saleOfOrders,
  setUpSource,
  soldOrderOf,
  upload,
  versionOf,
} from '#tests/support/registers'
import { one, ownerRows, rows } from '#tests/support/rows'
import { localDay } from '#shared/days'
import { test } from '@japa/runner'

const HOUR_MS = 3_600_000
const MOSCOW_FROM_THREE = { utcOffsetMinutes: 180, dayStartMinutes: 180 }

async function momentsOf(registerId: number) {
  const found = await rows(
    'SELECT at FROM partner_register_rows WHERE register_id = ? ORDER BY line',
    registerId
  )
  return found.map(({ at }) => (at as Date).toISOString())
}
const november = {
  from: new Date('2025-10-31T19:00:00Z'),
  to: new Date('2025-11-30T19:00:00Z'),
}

test.group('Time zone and days of a source', () => {
  test('times without a zone are read by the source’s clock, and days begin at its hour', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const file = fileOf(
      'o-1;p-1;01.11.2025 03:00:00;7000;Оплата',
      'o-2;p-2;2025-11-01T03:00:00+05:00;7000;Оплата',
      'o-3;p-3;01.11.2025;7000;Оплата'
    )
    const registerId = await matchedRegister(partner, file, november)
    assert.deepEqual(await momentsOf(registerId), [
      '2025-10-31T22:00:00.000Z',
      '2025-10-31T22:00:00.000Z',
      '2025-10-31T19:00:00.000Z',
    ])
    await setUpSource(registerId, MOSCOW_FROM_THREE)
    const register = await findRegister(registerId)
    assert.equal(register.state, 'mapped', 'it is read again')
    assert.equal(register.from.toISOString(), '2025-11-01T00:00:00.000Z')
    assert.equal(register.to.toISOString(), '2025-12-01T00:00:00.000Z')
    assert.deepEqual(daysOf(register, register.dayShiftMinutes), {
      from: '2025-11-01',
      to: '2025-11-30',
    })
    await readAndMatch(registerId)
    assert.deepEqual(await momentsOf(registerId), [
      '2025-11-01T00:00:00.000Z',
      '2025-10-31T22:00:00.000Z',
      '2025-11-01T00:00:00.000Z',
    ])
  })

  test('the next register of the source has such days, another source has its own', async ({
    assert,
  }) => {
    const { partner, orders } = await saleOfOrders(1)
    const sourceName = 'Эквайер'
    const first = await upload(partner, fileOf('o-1;p-1;;7000;Оплата'), { ...november, sourceName })
    await setUpSource(first.registerId, MOSCOW_FROM_THREE)
    const december = { from: november.to, to: new Date('2025-12-31T19:00:00Z') }
    const next = await upload(partner, fileOf(await lineOf(orders[0])), { ...december, sourceName })
    const shifted = await findRegister(next.registerId)
    assert.equal(shifted.from.toISOString(), '2025-12-01T00:00:00.000Z')
    const version = await versionOf(next.registerId)
    const move = { registerId: next.registerId, version, sourceName: 'Магазин', actor: TESTER }
    await new SetRegisterSource().handle(move)
    const moved = await findRegister(next.registerId)
    assert.deepInclude(moved, { ...december, dayShiftMinutes: 0 })
  })

  test('an order sold after midnight is of the day before where days begin later', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const orderId = await soldOrderOf({ client, event }, ['seat-2-1'])
    // Sold at 01:30 of today; a day of the source begins at 03:00.
    const at = new Date(midnight(0).getTime() + 1.5 * HOUR_MS)
    await ownerRows(
      `UPDATE orders SET created_at = ?, confirmed_at = ?, payment_paid_at = ? WHERE id = ?`,
      at,
      at,
      at,
      orderId
    )
    const yesterday = { from: midnight(-1), to: midnight(0) }
    const header = 'Дата оплаты;Сумма;Номер заказа;Кассир'
    const [year, month, day] = localDay(yesterday.from).split('-')
    const file = [header, `${day}.${month}.${year};12000;;Айгуль`].join('\n')
    const { registerId } = await upload(partner, file, yesterday)
    await setUpSource(registerId, { dayStartMinutes: 180 })
    await mapColumns(registerId)
    await readAndMatch(registerId)
    assert.deepEqual(await matchesOf(registerId), [`MATCHED SUGGESTED_BY_LIKENESS [2] ${orderId}`])
    await setUpSource(registerId, { dayStartMinutes: 0 })
    await readAndMatch(registerId)
    assert.notInclude(await matchesOf(registerId), `MATCHED SUGGESTED_BY_LIKENESS [2] ${orderId}`)
  })

  test('days that meet are taken neither twice nor by registers of other days', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const sourceName = 'Эквайер'
    const first = await upload(partner, fileOf('o-1;p-1;05.11.2025;7000;Оплата'), {
      ...november,
      sourceName,
    })
    await setUpSource(first.registerId, { dayStartMinutes: -120 })
    await mapColumns(first.registerId)
    await readAndMatch(first.registerId)
    await confirmRegister(first.registerId)
    const december = { from: november.to, to: new Date('2025-12-31T19:00:00Z'), sourceName }
    const next = await matchedRegister(partner, fileOf('o-2;p-2;05.12.2025;7000;Оплата'), december)
    await confirmRegister(next)
    const again = await matchedRegister(partner, fileOf('o-3;p-3;05.11.2025;7000;Оплата'), {
      ...november,
      sourceName,
    })
    assert.containsSubset(await refusalOf(confirmRegister(again)), {
      refusalCode: 'REGISTER_DAYS_TAKEN',
      registers: [{ id: first.registerId, from: '2025-11-01', to: '2025-11-30' }],
    })
  })

  test('the page sets them, the journal has both values, and the list shows the days', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const finance = await signedIn(await aStaffMember('finance'))
    const { registerId } = await upload(partner, fileOf('o-1;p-1;;7000;Оплата'), november)
    const { sourceId } = await findRegister(registerId)
    const { version } = await findSource(sourceId)
    await finance.put(`/registers/${registerId}/setup`, { version, ...MOSCOW_FROM_THREE })
    const { change } = await one(
      `SELECT change -> 'changed' AS change FROM journal WHERE partner_id = ? AND name = 'register_source_changed'`,
      partner.id
    )
    assert.containsSubset(change, {
      utcOffsetMinutes: { from: 300, to: 180 },
      dayStartMinutes: { from: 0, to: 180 },
    })
    const { props } = await finance.get(`/settlement/${partner.code}/registers`)
    const [listed] = props.registers as { from: string; to: string }[]
    assert.deepInclude(listed, {
      from: november.from.toISOString(),
      to: november.to.toISOString(),
    })
  })
})
