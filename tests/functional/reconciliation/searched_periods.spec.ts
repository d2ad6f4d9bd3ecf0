import CheckPeriod from '#defects/cases/check_period'
import { checkLastDays } from '#defects/jobs/check_partners'
import { refreshDefects } from '#tests/support/cases'
import { aSale, paymentOf, type TestPartner } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import {
  caseExposureOf,
  daysAgo,
  defectsOf,
  exposuresOf,
  noonOn,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  lineOf,
  matchedRegister,
  midnight,
  partnerFieldsOf,
  soldOrderOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

/** The period that the latest confirmation has asked to be checked for defects. */
async function checkedPeriodOf({ id }: TestPartner) {
  const { from, to } = await one(
    `SELECT params ->> 'from' AS "from", params ->> 'to' AS "to" FROM settlement_runs
      WHERE partner_id = ? AND kind = 'check_period' ORDER BY id DESC LIMIT 1`,
    id
  )
  return { from: new Date(from as string), to: new Date(to as string) }
}

test.group('Periods searched for defects', () => {
  test('a confirmation searches rows dated before the register’s first day, but not implausible dates', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `o-${sale.partner.code}`
    const longAgo = `${name};pay-10;${noonOn(-700)};5000;Оплата`
    const file = fileOf(sold, `${name};pay-9;${noonOn(-2)};7000;Оплата`, longAgo)
    await confirmedRegister(sale.partner, file)
    const period = await checkedPeriodOf(sale.partner)
    // A row of two years ago does not stretch the period over them.
    assert.isAtLeast(period.from.getTime(), midnight(-3).getTime())
    await new CheckPeriod().handle({ partnerId: sale.partner.id, ...period })
    assert.deepEqual(await defectsOf(sale.partner), [`MISSING_AT_PLATFORM ${name} 12000 BUYER`])
  })

  test('a confirmation searches the dates of rows that only the replaced register has', async ({
    assert,
  }) => {
    const sale = await aSale()
    const file = fileOf(await lineOf(await soldOrderOf(sale, ['seat-2-1'])))
    const source = { sourceName: 'Касса' }
    const stranger = `o-${sale.partner.code};pay-9;${noonOn(-2)};7000;Оплата`
    const older = await confirmedRegister(sale.partner, `${file}\r\n${stranger}`, source)
    const newer = await matchedRegister(sale.partner, file, source)
    await confirmRegister(newer, { replaces: [older] })
    const { from } = await checkedPeriodOf(sale.partner)
    assert.isBelow(from.getTime(), midnight(-1).getTime())
  })

  test('a confirmation searches orders of a register that were made after its days', async ({
    assert,
  }) => {
    const sale = await aSale()
    const file = fileOf(await lineOf(await soldOrderOf(sale, ['seat-2-1'])))
    const days = { from: midnight(-3), to: midnight(-1) }
    await confirmedRegister(sale.partner, file, days)
    const { to } = await checkedPeriodOf(sale.partner)
    assert.isAbove(to.getTime(), midnight(0).getTime())
  })

  test('a confirmation searches the dates of rows whose match was rejected', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const alike = { key: key.toUpperCase(), payment: '', at: noonOn(-2) }
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId, alike)))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    const period = await checkedPeriodOf(sale.partner)
    await new CheckPeriod().handle({ partnerId: sale.partner.id, ...period })
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${orderId} 12000 PLATFORM`,
      `MISSING_AT_PLATFORM ${key.toUpperCase()} 12000 BUYER`,
    ])
  })

  test('a payment of an unknown order stays found when only the last days are searched', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await soldOrderOf(sale, ['seat-2-1'])
    const file = fileOf(await lineOf(sold), `o-long-ago;pay-9;${noonOn(-10)};7000;Оплата`)
    await confirmedRegister(sale.partner, file, daysAgo(15, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), ['MISSING_AT_PLATFORM o-long-ago 7000 BUYER'])
    await checkLastDays(sale.partner.id)
    assert.deepEqual(await caseExposureOf('o-long-ago'), { buyer: 7_000 })
  })

  test('payments of an unknown order in two periods stay found, whichever period is searched', async ({
    assert,
  }) => {
    const sale = await aSale()
    const row = (pay: string, day: number) => `o-1;${pay};${noonOn(day)};7000;Оплата`
    await confirmedRegister(sale.partner, fileOf(row('pay-1', -20)), daysAgo(25, 15))
    await confirmedRegister(sale.partner, fileOf(row('pay-2', -5)), daysAgo(10, 1))
    const check = (first: number, last: number) =>
      new CheckPeriod().handle({ partnerId: sale.partner.id, ...daysAgo(first, last) })
    for (const [first, last] of [
      [25, 15],
      [10, 1],
      [25, 15],
      [15, 10],
      [1, -1],
    ]) {
      await check(first, last)
      assert.deepEqual(await exposuresOf(sale.partner), ['14000 BUYER'], `${first}`)
    }
  })

  test('a confirm of today adds to a payment in an earlier register, whichever period is searched', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `TIX-${sale.partner.code}`
    const file = fileOf(sold, `${name};pay-1;${noonOn(-10)};7000;Оплата`)
    await confirmedRegister(sale.partner, file, daysAgo(12, -1))
    const payment = paymentOf(5_000)
    await confirm(sale.client, name, payment)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    // The month before is checked by somebody.
    await new CheckPeriod().handle({ partnerId: sale.partner.id, ...daysAgo(12, 8) })
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a rejected second charge of an earlier order is found when only the last days are searched', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const second = await lineOf(orderId, { key: key.toUpperCase(), payment: 'pay-2' })
    await moveInTime(sale.partner, '-3 days')
    const late = second.replace(/;\d\d\.\d\d\.\d{4} [\d:]+;/, `;${noonOn(0)};`)
    const registerId = await matchedRegister(
      sale.partner,
      fileOf(await lineOf(orderId), late),
      daysAgo(5, -1)
    )
    await decideMatches(registerId, { decision: 'rejected' }, 'MISSING_AT_PLATFORM')
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })
})
