import { findStatement } from '#ledger/queries/find_statement'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { latePayment, refreshDefects } from '#tests/support/cases'
import { aSale } from '#tests/support/fixtures'
import { caseExposureOf, defectsOf, noonOn, refreshLastDays } from '#tests/support/register_defects'
import {
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  lineOf,
  matchedRegister,
  partnerFieldsOf,
  soldOrderOf,
} from '#tests/support/registers'
import { issueFor } from '#tests/support/mails'
import { moveInTime, movementsOf, setTerms } from '#tests/support/settlement'
import { aStaffMember } from '#tests/support/browser'
import { signedIn } from '#tests/support/page_client'
import { test } from '@japa/runner'

test.group('Orders missing from a register', () => {
  test('an order in any confirmed register is not missing', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    const orders = [
      await soldOrderOf({ client, event }, ['seat-2-1']),
      await soldOrderOf({ client, event }, ['seat-2-2']),
    ]
    for (const orderId of orders) await confirmedRegister(partner, fileOf(await lineOf(orderId)))
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
  })

  test('an order is missing once when one register lacks it and another has only its refund', async ({
    assert,
  }) => {
    const sale = await aSale()
    const here = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const lacking = await soldOrderOf(sale, ['seat-2-2'])
    const back = await lineOf(lacking, { tenge: '-12000' })
    await confirmedRegister(sale.partner, fileOf(here))
    await confirmedRegister(sale.partner, fileOf(here, back))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${lacking} 12000 PLATFORM`,
    ])
  })

  test('an order that another register calls declined stays missing', async ({ assert }) => {
    const sale = await aSale()
    const here = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const lacking = await soldOrderOf(sale, ['seat-2-2'])
    const line = await lineOf(lacking)
    const declined = line.replace('Оплата', 'Отклонено')
    await confirmedRegister(sale.partner, fileOf(here))
    await confirmedRegister(sale.partner, fileOf(here, declined))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${lacking} 12000 PLATFORM`,
    ])
  })

  test('a register for a closed month finds what it lacks, and the statement stays as it was issued', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner)
    const here = await soldOrderOf(sale, ['seat-2-1'])
    const lacking = await soldOrderOf(sale, ['seat-2-2'])
    await moveInTime(sale.partner, '-45 days')
    const { statementId } = await issueFor(sale.partner)
    const { from, to, closingTenge } = await findStatement(statementId)
    const registerId = await confirmedRegister(sale.partner, fileOf(await lineOf(here)), {
      from,
      to,
    })
    const finance = await signedIn(await aStaffMember('finance'))
    const { props } = await finance.get(`/registers/${registerId}`)
    assert.deepEqual(
      props.register.closedBy.map(({ id }: { id: number }) => id),
      [statementId]
    )
    await refreshLastDays(sale.partner, 90)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${lacking} 12000 PLATFORM`,
    ])
    const statement = await findStatement(statementId)
    assert.equal(statement.closingTenge, closingTenge)
    assert.deepEqual(await verifyStatement(statement), [])
    const movements = await movementsOf(sale.partner)
    assert.lengthOf(
      movements.filter(({ kind }) => kind === 'sale'),
      2
    )
  })

  test('two registers of the same days report each difference once', async ({ assert }) => {
    const {
      partner,
      client,
      event,
      orderId: late,
      payment,
    } = await latePayment(['seat-2-1', 'seat-2-2'])
    const sold = await soldOrderOf({ client, event }, ['seat-2-3'])
    const lacking = await soldOrderOf({ client, event }, ['seat-2-4'])
    const { at } = await partnerFieldsOf(sold)
    const paid = payment.payment_info.external_payment_id
    const lines = [
      await lineOf(sold),
      `o-stranger;pay-9;${at};7000;Оплата`,
      await lineOf(late, { payment: paid }),
      await lineOf(late, { payment: paid, tenge: '-12000' }),
    ]
    const expected = [
      [late, { buyer: 12_000 }],
      [lacking, { platform: 12_000 }],
      ['o-stranger', { buyer: 7_000 }],
    ] as const
    for (const end of ['', '\r\n']) {
      await confirmedRegister(partner, fileOf(...lines) + end)
      await refreshDefects(partner)
      for (const [key, exposure] of expected)
        assert.deepEqual(await caseExposureOf(key), exposure, key)
    }
  })
})

test.group('Rejected matches', () => {
  test('a rejected match makes the order missing at the partner and the row missing at the platform', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const orderId = await soldOrderOf({ client, event }, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const line = await lineOf(orderId, { key: key.toUpperCase(), payment: '' })
    const registerId = await matchedRegister(partner, fileOf(line))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [
      `MISSING_AT_PARTNER ${orderId} 12000 PLATFORM`,
      `MISSING_AT_PLATFORM ${key.toUpperCase()} 12000 BUYER`,
    ])
  })

  test('a rejected match of a declined payment is no money of the buyer', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const line = await lineOf(orderId, { key: key.toUpperCase(), payment: '' })
    const registerId = await matchedRegister(
      sale.partner,
      fileOf(line.replace('Оплата', 'Отклонено'))
    )
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${orderId} 12000 PLATFORM`,
    ])
  })

  test('a rejected match makes no order missing in a register of other days', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-2 days')
    const { key } = await partnerFieldsOf(orderId)
    const alike = { key: key.toUpperCase(), payment: '', at: noonOn(0) }
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId, alike)))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PLATFORM ${key.toUpperCase()} 12000 BUYER`,
    ])
  })

  test('a match rejected in one register and exact in another is missing in neither', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const alike = await lineOf(orderId, { key: key.toUpperCase(), payment: '' })
    const registerId = await matchedRegister(sale.partner, fileOf(alike))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)))
    await refreshDefects(sale.partner)
    const found = await defectsOf(sale.partner)
    assert.isEmpty(found.filter((defect) => defect.startsWith('MISSING_AT_PARTNER')))
  })
})
