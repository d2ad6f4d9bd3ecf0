import { ApproveRequest } from '#ledger/actions/decide_request'
import RecordPayment, { type RecordPaymentInput } from '#ledger/actions/record_payment'
import ReversePayment from '#ledger/actions/reverse_payment'
import { localDay } from '#shared/days'
import type { Refusal } from '#shared/refusals'
import { aPartner, aPerson, type TestPartner } from '#tests/support/fixtures'
import { ownerRows, rows } from '#tests/support/rows'
import { aClosableMonth, issueFor } from '#tests/support/mails'
import { movementsOf } from '#tests/support/settlement'
import { test } from '@japa/runner'
import { randomInt, randomUUID } from 'node:crypto'

const DAY_MS = 86_400_000
const today = () => localDay(new Date())
const daysAgo = (days: number) => localDay(new Date(Date.now() - days * DAY_MS))
/** An amount of its own for each test: partners of one database share references and days. */
const anAmount = () => BigInt(randomInt(1_000, 1_000_000))

const pay = (partner: TestPartner, more: Partial<RecordPaymentInput> = {}) =>
  new RecordPayment().handle({
    partnerCode: partner.code,
    bankReference: 'ПП №17',
    paidOn: today(),
    direction: 'from_partner',
    amountTenge: 1_000n,
    parts: [],
    actor: aPerson(),
    ...more,
  })
const reverse = (paymentId: number | null, bankReference: string = randomUUID()) =>
  new ReversePayment().handle({
    paymentId: paymentId!,
    bankReference,
    paidOn: today(),
    reason: 'Не тот партнёр',
    actor: aPerson(),
  })
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )
const fieldOf = (refused: Promise<unknown>) =>
  refused.then(
    () => null,
    (error: unknown) => {
      const { fields } = (error as Refusal).details as { fields: { field: string; rule: string }[] }
      return [fields[0].field, fields[0].rule]
    }
  )

test.group('Payments', () => {
  const SPELLINGS: [reference: string, key: string][] = [
    ['ПП №17', 'pp17'],
    ['PP-17', 'pp17'],
    ['pp 17', 'pp17'],
    ['пп17', 'pp17'],
    ['ПП\u00a0№ 17.', 'pp17'],
    ['РР 17', 'pp17'],
    ['ｐｐ１７', 'pp17'],
    ['ПП-017', 'pp017'],
    ['Қ-5/Ж', 'қ5ж'],
  ]
  test('the normalised reference of {0} is {1}')
    .with(SPELLINGS)
    .run(async ({ assert }, [reference, key]) => {
      const [found] = await rows('SELECT payment_reference_key(?) AS key', reference)
      assert.equal(found.key, key)
    })

  test('a payment of one day is booked once, however its reference is spelt', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const amountTenge = anAmount()
    await pay(partner, { amountTenge, bankReference: 'PP 17' })
    for (const bankReference of ['PP-17', 'pp 17', 'ПП №17', 'ПП 000017', '№ pp-017'])
      assert.equal(
        await codeOf(pay(partner, { amountTenge, bankReference })),
        'PAYMENT_EXISTS',
        bankReference
      )
    assert.lengthOf(await movementsOf(partner), 1)
    await pay(partner, { amountTenge, bankReference: 'PP 170' })
    await pay(partner, { amountTenge: amountTenge + 1n, bankReference: 'PP 17' })
    assert.lengthOf(await movementsOf(partner), 3)
  })

  test('a payment that waits for a second person is booked once, however its zeros are written', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const amountTenge = 50_000_000n + anAmount()
    const first = await pay(partner, { amountTenge, bankReference: 'ПП 0017' })
    const again = await pay(partner, { amountTenge, bankReference: 'ПП 17' })
    const approve = ({ requestId }: typeof first) =>
      new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    await approve(first)
    assert.equal(await codeOf(approve(again)), 'PAYMENT_EXISTS')
    assert.lengthOf(await movementsOf(partner), 1)
  })

  test('the same reference of another year is another payment', async ({ assert }) => {
    const partner = await aPartner()
    const amountTenge = anAmount()
    await pay(partner, { amountTenge, paidOn: daysAgo(366) })
    await pay(partner, { amountTenge })
    assert.lengthOf(await movementsOf(partner), 2)
  })

  test('of one bank payment entered for two partners at once the second is refused', async ({
    assert,
  }) => {
    const partners = [await aPartner(), await aPartner()]
    const amountTenge = anAmount()
    const outcomes = await Promise.all(partners.map((one) => codeOf(pay(one, { amountTenge }))))
    assert.deepEqual(outcomes.toSorted(), ['PAYMENT_OF_ANOTHER_PARTNER', 'no refusal'])
    const moved = await Promise.all(partners.map(movementsOf))
    assert.lengthOf(moved.flat(), 1)
  })

  test('the database keeps it from being booked twice with other zeros, too, and a reversal’s document is free again', async ({
    assert,
  }) => {
    const [one, other] = [await aPartner(), await aPartner()]
    const amountTenge = anAmount()
    const { paymentId } = await pay(one, { amountTenge, bankReference: 'PP 17' })
    const insert = () =>
      ownerRows(
        `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
         VALUES (?, 'PP 017', ?, 'from_partner', ?, 'tests')`,
        other.id,
        today(),
        String(amountTenge)
      )
    await assert.rejects(insert, /settlement_payments_once/)
    const document = `В 5-${one.code}`
    await reverse(paymentId, document)
    const again = await pay(other, { amountTenge, bankReference: 'PP 017' })
    assert.equal(
      await codeOf(pay(one, { amountTenge, bankReference: 'PP 17' })),
      'PAYMENT_OF_ANOTHER_PARTNER'
    )
    assert.equal(
      await codeOf(reverse(again.paymentId, document.replace('5-', '05-'))),
      'no refusal'
    )
  })

  test('the database keeps a payment from being booked twice', async ({ assert }) => {
    const partner = await aPartner()
    const amountTenge = anAmount()
    await pay(partner, { amountTenge })
    const again = ownerRows(
      `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
       VALUES (?, 'pp-17', ?, 'from_partner', ?, 'tests')`,
      partner.id,
      today(),
      String(amountTenge)
    )
    await assert.rejects(() => again, /settlement_payments_once/)
  })

  test('a payment of the wrong partner is reversed and booked once for the right one', async ({
    assert,
  }) => {
    const [wrong, right] = [await aPartner(), await aPartner()]
    const payment = { amountTenge: anAmount() }
    const booked = await pay(wrong, payment)
    await reverse(booked.paymentId)
    await pay(right, { ...payment, bankReference: 'ПП 0017' })
    assert.equal(await codeOf(pay(right, payment)), 'PAYMENT_EXISTS')
    assert.equal(await codeOf(pay(wrong, payment)), 'PAYMENT_OF_ANOTHER_PARTNER')
    assert.lengthOf(await movementsOf(right), 1)
    assert.lengthOf(await movementsOf(wrong), 2)
  })

  test('a payment is booked again each time that it was reversed, and the same document reverses it', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const amountTenge = anAmount()
    const bankReference = `В ${partner.code}`
    for (let round = 0; round < 3; round++) {
      const { paymentId } = await pay(partner, { amountTenge })
      assert.equal(await codeOf(pay(partner, { amountTenge })), 'PAYMENT_EXISTS')
      assert.equal(await codeOf(reverse(paymentId, bankReference)), 'no refusal')
    }
    const sameDocument = { amountTenge, bankReference, direction: 'to_partner' } as const
    assert.equal(await codeOf(pay(partner, sameDocument)), 'PAYMENT_EXISTS')
    assert.lengthOf(await movementsOf(partner), 6)
  })

  test('of ten simultaneous bookings of a reversed payment one is booked', async ({ assert }) => {
    const partners = await Promise.all(Array.from({ length: 5 }, aPartner))
    const amountTenge = anAmount()
    const { paymentId } = await pay(await aPartner(), { amountTenge })
    await reverse(paymentId)
    const outcomes = await Promise.all(
      [...partners, ...partners].map((one) => codeOf(pay(one, { amountTenge })))
    )
    assert.lengthOf(
      outcomes.filter((code) => code === 'no refusal'),
      1
    )
    const moved = await Promise.all(partners.map(movementsOf))
    assert.lengthOf(moved.flat(), 1)
  })

  test('a payment that was booked again for another partner cannot be restored', async ({
    assert,
  }) => {
    const [wrong, right] = [await aPartner(), await aPartner()]
    const amountTenge = anAmount()
    const { paymentId } = await pay(wrong, { amountTenge })
    const { reversalId } = await reverse(paymentId)
    await pay(right, { amountTenge })
    assert.equal(await codeOf(reverse(reversalId)), 'NO_SUCH')
    assert.equal(await codeOf(reverse(paymentId)), 'ALREADY_EXISTS')
    const byHand = ownerRows(
      `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, booking_round)
       VALUES (?, 'pp-17', ?, 'from_partner', ?, 'tests', 7)`,
      wrong.id,
      today(),
      String(amountTenge)
    )
    await assert.rejects(() => byHand, /settlement_payments_once/)
  })

  test('a payment for a statement of another partner is refused', async ({ assert }) => {
    const partner = await aPartner()
    const { partner: other } = await aClosableMonth()
    const { statementId } = await issueFor(other)
    const amountTenge = anAmount()
    const parts = [{ statementId, amountTenge }]
    assert.equal(await codeOf(pay(partner, { amountTenge, parts })), 'NO_SUCH')
    assert.deepEqual(await movementsOf(partner), [])
    assert.equal(await codeOf(pay(other, { amountTenge, parts })), 'no refusal')
  })

  test('parts are of different statements, and together not more than was paid', async ({
    assert,
  }) => {
    const { partner } = await aClosableMonth()
    const { statementId } = await issueFor(partner)
    const amountTenge = anAmount()
    const partsOf = (...amounts: bigint[]) =>
      amounts.map((part) => ({ statementId, amountTenge: part }))
    for (const parts of [partsOf(amountTenge + 1n), partsOf(1n, 1n), partsOf(0n)])
      assert.deepEqual(await fieldOf(pay(partner, { amountTenge, parts })), ['parts', 'sum'])
    assert.equal(
      await codeOf(pay(partner, { amountTenge, parts: partsOf(amountTenge) })),
      'no refusal'
    )
  })

  test('a part pays no more of its statement than it says; the rest stays an open credit', async ({
    assert,
  }) => {
    const { partner } = await aClosableMonth()
    const { statementId } = await issueFor(partner)
    const restOf = async (item: string) => {
      const [{ rest }] = await rows(
        'SELECT rest_tenge::int AS rest FROM settlement_items WHERE partner_id = ? AND item = ?',
        partner.id,
        item
      )
      return rest as number
    }
    const due = await restOf(`statement:${statementId}`)
    const parts = [{ statementId, amountTenge: 1_000n }]
    const { paymentId } = await pay(partner, {
      amountTenge: 3_000n,
      bankReference: partner.code,
      parts,
    })
    assert.equal(await restOf(`statement:${statementId}`), due - 1_000)
    assert.equal(await restOf(`payment:${paymentId}`), 2_000)
  })

  test('a payment of nothing, after today, of more than two years ago or without a reference is refused', async ({
    assert,
  }) => {
    const partner = await aPartner()
    assert.deepEqual(await fieldOf(pay(partner, { paidOn: daysAgo(-1) })), ['paidOn', 'not_future'])
    assert.deepEqual(await fieldOf(pay(partner, { paidOn: daysAgo(800) })), ['paidOn', 'recent'])
    for (const amountTenge of [0n, -1n])
      assert.deepEqual(await fieldOf(pay(partner, { amountTenge })), ['amountTenge', 'positive'])
    const empty = pay(partner, { bankReference: '№ -' })
    assert.deepEqual(await fieldOf(empty), ['bankReference', 'format'])
    assert.deepEqual(await movementsOf(partner), [])
    const byHand = ownerRows(
      `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by)
       VALUES (?, '1', ?, 'from_partner', 1, 'tests')`,
      partner.id,
      daysAgo(-2)
    )
    await assert.rejects(() => byHand, /settlement_payments_are_past/)
  })
})
