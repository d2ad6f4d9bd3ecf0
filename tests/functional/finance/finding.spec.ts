import type { FoundRecord } from '#back_office/orders/orders_props'
import ChangeCase from '#case_work/change_case'
import { findCaseIds } from '#staff_area/find_case_ids'
import type { CaseFilters } from '#finance/cases/cases_props'
import { listCases } from '#finance/cases/list_cases'
import { readCase } from '#finance/cases/read_case'
import { RequestMemo } from '#ledger/actions/memos'
import { memoNumber, statementNumber } from '#ledger/statement_status'
import { aStaffMember } from '#tests/support/browser'
import { NO_FILTERS, lateCase, refreshDefects } from '#tests/support/cases'
import { aPerson, aSale, paymentOf, TESTER, type TestPartner } from '#tests/support/fixtures'
import { aClosableMonth, issueFor } from '#tests/support/mails'
import { confirm } from '#tests/support/operations'
import { signedIn } from '#tests/support/page_client'
import { confirmedRegister, fileOf, lineOf, soldOrderOf } from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { setTerms } from '#tests/support/settlement'
import { StaffClient } from '#tests/support/staff_client'
import type { Role } from '#staff/role'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'

const listed = async (q: string, more: Partial<CaseFilters> = {}) => {
  const { rows: lines } = await listCases({ ...NO_FILTERS, q, ...more }, 'nobody@platform.test')
  return lines
}
const idsOf = (lines: { id: number }[]) => lines.map(({ id }) => id)

const aNumberOfNobody = () => `SHOP-${randomUUID().slice(0, 8)}`

/** A confirm of an order that we do not have, and its case. */
async function aConfirmOfAnUnknownOrder(number = aNumberOfNobody()) {
  const sale = await aSale()
  const payment = paymentOf(7_000)
  await confirm(sale.client, number, payment)
  await refreshDefects(sale.partner)
  const { id: caseId } = await one(
    'SELECT id FROM settlement_cases WHERE partner_id = ?',
    sale.partner.id
  )
  const { requestId } = await one(
    'SELECT request_id AS "requestId" FROM confirm_attempts WHERE partner_id = ?',
    sale.partner.id
  )
  const paymentId = payment.payment_info.external_payment_id
  return { ...sale, number, paymentId, requestId: requestId as string, caseId: caseId as number }
}

/** A small correction, which one person may make, in a closed month. */
async function aStatementAndMemo(partner: TestPartner) {
  await new RequestMemo().handle({
    partnerCode: partner.code,
    kind: 'adj_debit',
    amountTenge: 500n,
    reason: 'Сверка',
    origin: null,
    actor: aPerson(),
  })
  const { statementId } = await issueFor(partner)
  const memo = await one('SELECT id, number FROM settlement_memos WHERE partner_id = ?', partner.id)
  const { number } = await one('SELECT number FROM settlement_statements WHERE id = ?', statementId)
  return {
    statementId,
    statement: number as number,
    memoId: memo.id as number,
    memo: memo.number as number,
  }
}

async function search(role: Role, q: string) {
  const client = await signedIn(await aStaffMember(role))
  const { props } = await client.get(`/orders?q=${encodeURIComponent(q)}`)
  return props.records as FoundRecord[]
}
async function foundBy(role: Role, q: string) {
  const records = await search(role, q)
  return records.map(({ kind, id }) => `${kind} ${id}`)
}

test.group('Finding cases', () => {
  test('a confirm of an unknown order is found by the number sent, its payment and its request, in the list and by the search', async ({
    assert,
  }) => {
    const { number, paymentId, requestId, caseId } = await aConfirmOfAnUnknownOrder()
    for (const q of [number, paymentId, requestId, `№ ${caseId}`]) {
      assert.deepEqual(idsOf(await listed(q)), [caseId], q)
      assert.deepEqual(await foundBy('finance', q), [`case ${caseId}`], q)
    }
    assert.deepEqual(await listed(aNumberOfNobody()), [])
    assert.deepEqual(await search('finance', aNumberOfNobody()), [])
  })

  test('its line, its page and its file name the number that was sent, the page also payment and request', async ({
    assert,
  }) => {
    const { number, paymentId, requestId, caseId } = await aConfirmOfAnUnknownOrder()
    const [line] = await listed(number)
    assert.deepEqual(line.orders, [number])
    const { kase, trail, defects } = await readCase(caseId)
    assert.equal(kase.key, number)
    assert.deepEqual(kase.paymentIds, [paymentId])
    assert.deepEqual(
      trail.map((entry) => [entry.kind, entry.orderId, entry.paymentId, entry.requestId]),
      [['confirm', number, paymentId, requestId]]
    )
    assert.deepEqual(
      defects.map(({ code, orderId }) => [code, orderId]),
      [['CONFIRM_UNKNOWN_ORDER', number]]
    )
    const client = await StaffClient.signedIn('auditor')
    const file = await client.get(`/back-office/cases.csv?q=${number}`)
    const text = await file.text()
    const [only, ...more] = text.split(/\r?\n/).filter((row) => /^\d/.test(row))
    assert.equal(only.split(';')[0], String(caseId))
    assert.include(only, number)
    assert.deepEqual(more, [])
  })

  test('of two partners that send the same number each request finds the case of its own', async ({
    assert,
  }) => {
    const number = aNumberOfNobody()
    const first = await aConfirmOfAnUnknownOrder(number)
    const second = await aConfirmOfAnUnknownOrder(number)
    assert.sameMembers(await findCaseIds(number), [first.caseId, second.caseId])
    assert.deepEqual(await findCaseIds(first.requestId), [first.caseId])
    assert.deepEqual(await findCaseIds(second.requestId), [second.caseId])
    assert.deepEqual(await findCaseIds(second.paymentId), [second.caseId])
    assert.deepEqual(idsOf(await listed(number, { partner: first.partner.code })), [first.caseId])
  })

  test('a case is found by our order id in any case of letters, the partner’s order id and a payment that only a register shows', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner)
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const paymentId = `bank-${randomUUID()}`
    const line = await lineOf(orderId)
    await confirmedRegister(
      sale.partner,
      fileOf(line, await lineOf(orderId, { payment: paymentId }))
    )
    await refreshDefects(sale.partner)
    const { id: caseId } = await one('SELECT id FROM settlement_cases WHERE key = ?', orderId)
    const { partnerOrderId } = await one(
      'SELECT partner_order_id AS "partnerOrderId" FROM orders WHERE id = ?',
      orderId
    )
    for (const q of [orderId, orderId.toLowerCase(), partnerOrderId as string, paymentId])
      assert.deepEqual(await findCaseIds(q), [caseId], q)
  })

  test('a settled case is found without choosing its state, and left out where open ones are asked for', async ({
    assert,
  }) => {
    const { caseId, orderId } = await lateCase()
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version: 1, change, actor: TESTER })
    assert.deepEqual(idsOf(await listed(orderId)), [caseId])
    assert.deepEqual(idsOf(await listed(orderId, { state: 'resolved' })), [caseId])
    assert.deepEqual(await listed(orderId, { state: 'open' }), [])
    const [found] = await search('auditor', orderId)
    assert.deepInclude(found, { kind: 'case', state: 'resolved', isOpen: false })
  })

  test('a refused payment finds its order', async ({ assert }) => {
    const { orderId, payment } = await lateCase()
    const client = await signedIn(await aStaffMember('support'))
    const { props } = await client.get(
      `/orders?q=${payment.payment_info.external_payment_id as string}`
    )
    assert.deepEqual(
      props.orders.rows.map(({ id }: { id: string }) => id),
      [orderId]
    )
  })
})

test.group('Finding statements and memos', () => {
  test('are found by their numbers in any spelling, and the result says what they are', async ({
    assert,
  }) => {
    const { partner } = await aClosableMonth()
    const { statementId, memoId, ...numbers } = await aStatementAndMemo(partner)
    const statement = statementNumber(numbers.statement)
    for (const q of [statement, statement.toLowerCase(), `SET ${numbers.statement}`])
      assert.deepEqual(await foundBy('finance', q), [`statement ${statementId}`], q)
    const [found] = await search('finance', statement)
    assert.deepInclude(found, { number: statement, partnerName: partner.code, status: 'issued' })
    const memo = memoNumber(numbers.memo)
    for (const q of [memo, memo.toLowerCase(), `mem${numbers.memo}`])
      assert.deepEqual(await foundBy('auditor', q), [`memo ${memoId}`], q)
    const [correction] = await search('auditor', memo)
    assert.deepInclude(correction, { number: memo, partner: partner.code, amountTenge: 500 })
    assert.deepEqual(await search('finance', 'SET-999999999'), [])
    assert.deepEqual(await search('finance', 'MEM-99999999999'), [])
  })

  test('are found only by those who may read settlements; cases by those who answer buyers, too', async ({
    assert,
  }) => {
    const { partner } = await aClosableMonth()
    const { memo, statement } = await aStatementAndMemo(partner)
    for (const number of [statementNumber(statement), memoNumber(memo)]) {
      assert.lengthOf(await search('auditor', number), 1)
      assert.deepEqual(await search('support', number), [])
    }
    const { orderId, caseId } = await lateCase()
    assert.deepEqual(await foundBy('support', orderId), [`case ${caseId}`])
    assert.deepEqual(await foundBy('operations', `№ ${caseId}`), [`case ${caseId}`])
    assert.deepEqual(await foundBy('auditor', orderId), [`case ${caseId}`])
  })
})
