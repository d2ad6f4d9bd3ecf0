import { ApproveRequest, DeclineRequest } from '#ledger/actions/decide_request'
import { RequestMemo } from '#ledger/actions/memos'
import RecordPayment, { type RecordPaymentInput } from '#ledger/actions/record_payment'
import ReversePayment from '#ledger/actions/reverse_payment'
import type { Actor } from '#shared/actor'
import { localDay } from '#shared/days'
import type { Refusal } from '#shared/refusals'
import { aPartner, aPerson, aSale, sell, type TestPartner } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { one, rows, ownerRows } from '#tests/support/rows'
import { movementsOf, askForTerms, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const MILLION = 1_000_000n
let reference = Date.now()

const pay = (partner: TestPartner, actor: Actor, more: Partial<RecordPaymentInput> = {}) =>
  new RecordPayment().handle({
    partnerCode: partner.code,
    bankReference: `П-${reference++}`,
    paidOn: localDay(new Date()),
    direction: 'from_partner',
    amountTenge: 50n * MILLION,
    parts: [],
    actor,
    ...more,
  })
const memo = (partner: TestPartner, actor: Actor, amountTenge = 99_000n) =>
  new RequestMemo().handle({
    partnerCode: partner.code,
    kind: 'adj_credit',
    amountTenge,
    reason: 'Возврат мимо системы',
    origin: null,
    actor,
  })
const isMemoAlone = async (partner: TestPartner, actor: Actor, amountTenge: bigint) => {
  const { isApproved } = await memo(partner, actor, amountTenge)
  return isApproved
}
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )
const entriesOf = async (partner: TestPartner) => {
  const entries = await rows(
    `SELECT name FROM journal WHERE partner_id = ? AND name LIKE 'payment%' OR partner_id = ? AND name LIKE 'settlement%' ORDER BY id`,
    partner.id,
    partner.id
  )
  return entries.map(({ name }) => name as string)
}
const HIGH = { commissionBp: 6_000, isConfirmed: true }
const nextYear = (years = 1) =>
  new Date(`${new Date().getUTCFullYear() + years}-03-01T00:00:00+05:00`)
async function amountOf(requestId: number) {
  const request = await one(
    'SELECT amount_tenge::int AS tenge FROM settlement_requests WHERE id = ?',
    requestId
  )
  return request.tenge
}

test.group('What one person may do in settlement', () => {
  test('a payment of 50,000,000 moves money only after another person approves, once', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const [asker, other] = [aPerson(), aPerson()]
    const { paymentId, requestId } = await pay(partner, asker)
    assert.isNull(paymentId)
    assert.deepEqual(await movementsOf(partner), [])
    const approve = (actor: Actor) =>
      codeOf(new ApproveRequest().handle({ requestId: requestId!, actor }))
    assert.equal(await approve(asker), 'OWN_REQUEST')
    const outcomes = await Promise.all([approve(other), approve(other), approve(aPerson())])
    assert.deepEqual(outcomes.toSorted(), ['REQUEST_NOT_OPEN', 'REQUEST_NOT_OPEN', 'no refusal'])
    const moved = await movementsOf(partner)
    assert.deepEqual(
      moved.map(({ kind, tenge }) => [kind, tenge]),
      [['payment', '-50000000']]
    )
    const paid = await one('SELECT * FROM settlement_payments WHERE partner_id = ?', partner.id)
    assert.equal(paid.recorded_by, asker.name)
    assert.notEqual(paid.approved_by, asker.name)
    assert.deepEqual(await entriesOf(partner), ['settlement_request_asked', 'payment_recorded'])
  })

  test('a declined payment moves nothing and can be requested again', async ({ assert }) => {
    const partner = await aPartner()
    const bankReference = `П-${reference++}`
    const { requestId } = await pay(partner, aPerson(), { bankReference })
    const decision = { requestId: requestId!, note: 'Не наш платёж', actor: aPerson() }
    await new DeclineRequest().handle(decision)
    assert.equal(await codeOf(new DeclineRequest().handle(decision)), 'REQUEST_NOT_OPEN')
    assert.deepEqual(await movementsOf(partner), [])
    const { change } = await one(
      `SELECT change FROM journal WHERE partner_id = ? AND name = 'settlement_request_declined'`,
      partner.id
    )
    assert.include(change, { note: 'Не наш платёж', act: 'payment' })
    const again = await pay(partner, aPerson(), { bankReference })
    await new ApproveRequest().handle({ requestId: again.requestId!, actor: aPerson() })
    assert.lengthOf(await movementsOf(partner), 1)
  })

  test('a requested payment that was booked meanwhile is refused on approval and stays open', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const bankReference = `П-${reference++}`
    const [first, second] = [
      await pay(partner, aPerson(), { bankReference }),
      await pay(partner, aPerson(), { bankReference }),
    ]
    const approve = (requestId: number) =>
      codeOf(new ApproveRequest().handle({ requestId, actor: aPerson() }))
    assert.equal(await approve(first.requestId!), 'no refusal')
    assert.equal(await approve(second.requestId!), 'PAYMENT_EXISTS')
    assert.lengthOf(await movementsOf(partner), 1)
    const { outcome } = await one(
      'SELECT outcome FROM settlement_requests WHERE id = ?',
      second.requestId
    )
    assert.isNull(outcome)
  })

  test('payments of one person add up over the day, also of several partners', async ({
    assert,
  }) => {
    const [partner, other] = [await aPartner(), await aPartner()]
    const person = aPerson()
    const four = 4n * MILLION
    const isAlone = async (to: TestPartner, amountTenge: bigint, actor: Actor = person) => {
      const { paymentId } = await pay(to, actor, { amountTenge })
      return paymentId !== null
    }
    assert.isTrue(await isAlone(partner, four))
    assert.isTrue(await isAlone(other, four))
    assert.isFalse(await isAlone(partner, four))
    assert.isTrue(await isAlone(partner, 2n * MILLION))
    assert.isFalse(await isAlone(partner, 1n))
    assert.isTrue(await isAlone(partner, four, aPerson()))
  })

  test('corrections and payments add up separately', async ({ assert }) => {
    const partner = await aPartner()
    const person = aPerson()
    const { paymentId } = await pay(partner, person, { amountTenge: 4n * MILLION })
    assert.isNotNull(paymentId)
    assert.isTrue(await isMemoAlone(partner, person, 100_000n))
    assert.isFalse(await isMemoAlone(partner, person, 1n))
    const more = await pay(partner, person, { amountTenge: 6n * MILLION })
    assert.isNotNull(more.paymentId)
  })

  test('a day begins at midnight of the venues, with nothing done', async ({ assert }) => {
    const partner = await aPartner()
    const person = aPerson()
    assert.isTrue(await isMemoAlone(partner, person, 100_000n))
    const actAt = (moment: string) =>
      ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE settlement_single_acts SET acted_at = ${moment} FROM free WHERE person = ?`,
        person.name
      )
    const midnight = `(date_trunc('day', now() AT TIME ZONE INTERVAL '05:00') AT TIME ZONE INTERVAL '05:00')`
    await actAt(midnight)
    assert.isFalse(await isMemoAlone(partner, person, 1n))
    await actAt(`${midnight} - interval '1 millisecond'`)
    assert.isTrue(await isMemoAlone(partner, person, 100_000n))
  })

  test('a payment that is taken back counts towards the day of whoever did it', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const { paymentId } = await pay(partner, aPerson(), { amountTenge: 6n * MILLION })
    const person = aPerson()
    const { reversalId } = await new ReversePayment().handle({
      paymentId: paymentId!,
      bankReference: `В-${reference++}`,
      paidOn: localDay(new Date()),
      reason: 'Ошибка банка',
      actor: person,
    })
    assert.isNotNull(reversalId)
    const alone = await pay(partner, person, { amountTenge: 4n * MILLION })
    assert.isNotNull(alone.paymentId)
    const more = await pay(partner, person, { amountTenge: 1n })
    assert.isNull(more.paymentId)
  })

  test('a payment that a second person has approved is taken back by two, whatever its amount', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const person = aPerson()
    await pay(partner, person, { amountTenge: 10n * MILLION })
    const { requestId } = await pay(partner, person, { amountTenge: 1_000n })
    await new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    const { id: paymentId } = await one(
      'SELECT id FROM settlement_payments WHERE partner_id = ? AND amount_tenge = 1000',
      partner.id
    )
    const { reversalId } = await new ReversePayment().handle({
      paymentId: paymentId as number,
      bankReference: `В-${reference++}`,
      paidOn: localDay(new Date()),
      reason: 'Ошибка банка',
      actor: aPerson(),
    })
    assert.isNull(reversalId)
  })

  test('of three simultaneous memos of 99,000 by one person one is made alone', async ({
    assert,
  }) => {
    const partners = [await aPartner(), await aPartner(), await aPartner()]
    const person = aPerson()
    const made = await Promise.all(partners.map((partner) => memo(partner, person)))
    assert.lengthOf(
      made.filter(({ isApproved }) => isApproved),
      1
    )
    const { isApproved } = await memo(partners[0], person, 1_000n)
    assert.isTrue(isApproved)
    const more = await memo(partners[0], person, 1n)
    assert.isFalse(more.isApproved)
  })

  test('first terms wait for a second person, also of a partner who has sold nothing', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-1-1', 'seat-1-2', 'seat-1-3'])
    const rates = { commissionBp: 5_000, vatBp: 3_000 }
    const nothingSold = await askForTerms(await aPartner(), rates)
    assert.isNull(nothingSold.termsId)
    const { termsId, requestId } = await askForTerms(partner, rates)
    assert.isNull(termsId)
    assert.equal(await amountOf(requestId!), 87_750)
    assert.lengthOf(await movementsOf(partner), 1)
    await new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    const moved = await movementsOf(partner)
    assert.sameMembers(
      moved.map(({ kind, tenge }) => `${kind} ${tenge}`),
      ['sale 135000', 'commission -67500', 'vat -20250']
    )
  })

  test('of two requests for first terms one is approved', async ({ assert }) => {
    const { partner } = await aSale()
    const [wanted, other] = [
      await askForTerms(partner, { commissionBp: 1_000 }),
      await askForTerms(partner, { commissionBp: 2_000 }),
    ]
    const approve = ({ requestId }: { requestId: number | null }) =>
      new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    await approve(wanted)
    await assert.rejects(() => approve(other), /already exists/)
    const agreed = await rows(
      'SELECT commission_bp FROM settlement_terms WHERE partner_id = ?',
      partner.id
    )
    assert.deepEqual(agreed, [{ commission_bp: 1_000 }])
  })

  test('later terms charge nothing that was sold before, and need no second person', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner, { commissionBp: 0, vatBp: 0 })
    await sell(client, event.id, ['seat-1-1', 'seat-1-2', 'seat-1-3', 'seat-1-4', 'seat-1-5'])
    const later = { commissionBp: 5_000, vatBp: 0, validFrom: nextYear() }
    const { termsId } = await askForTerms(partner, later)
    assert.isNotNull(termsId)
    const high = { ...HIGH, validFrom: nextYear(2) }
    const { requestId } = await askForTerms(partner, high)
    assert.equal(await amountOf(requestId!), 0)
  })

  test('what was returned by then is not in the sum that the second person sees', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const seats = ['seat-1-1', 'seat-1-2', 'seat-1-3', 'seat-1-4', 'seat-1-5']
    const sold = await sell(client, event.id, seats)
    const ids = (sold.tickets as { ticket_id: string }[]).map(({ ticket_id: id }) => id)
    await refund(client, sold.order_id, ids.slice(1))
    // 50 % of the 45,000 that are still sold.
    const { requestId } = await askForTerms(partner, { commissionBp: 5_000, vatBp: 0 })
    assert.equal(await amountOf(requestId!), 22_500)
  })

  test('high rates need a confirmation and a second person, and 100 % of both is refused', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const field = (refused: Promise<unknown>) =>
      refused.then(
        () => null,
        (error: unknown) =>
          ((error as Refusal).details as { fields: { field: string }[] }).fields[0].field
      )
    assert.equal(await field(setTerms(partner, { commissionBp: 5_001 })), 'isConfirmed')
    assert.equal(await field(setTerms(partner, { vatBp: 3_001 })), 'isConfirmed')
    const all = { commissionBp: 10_000, vatBp: 10_000, isConfirmed: true }
    assert.equal(await field(setTerms(partner, all)), 'commissionBp')
    await setTerms(partner, HIGH)
    const later = await askForTerms(partner, { ...HIGH, validFrom: nextYear() })
    assert.isNull(later.termsId)
    const terms = await rows(
      'SELECT commission_bp, approved_by FROM settlement_terms WHERE partner_id = ?',
      partner.id
    )
    assert.lengthOf(terms, 1)
    assert.equal(terms[0].commission_bp, 6_000)
    assert.isNotNull(terms[0].approved_by)
  })
})
