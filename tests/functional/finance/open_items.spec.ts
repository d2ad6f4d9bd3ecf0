import { listAccounts, readBalances, sumAccounts } from '#finance/settlement/list_accounts'
import { readAgeing } from '#finance/settlement/read_open_items'
import RecordPayment from '#ledger/actions/record_payment'
import { findStatement } from '#ledger/queries/find_statement'
import { localDay } from '#shared/days'
import { sumNumbers } from '#shared/sums'
import { aStaffMember } from '#tests/support/browser'
import { aCaseOfTwoParties, lateCase } from '#tests/support/cases'
import { aPerson, aSale, sell } from '#tests/support/fixtures'
import { aClosableMonth, issueFor } from '#tests/support/mails'
import { signedIn } from '#tests/support/page_client'
import { one, ownerRows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { StaffClient } from '#tests/support/staff_client'
import { statementNumber } from '#ledger/statement_status'
import type { OpenItems } from '#finance/settlement/settlement_props'
import { test } from '@japa/runner'
import { parse } from 'csv-parse/sync'
import { randomUUID } from 'node:crypto'

/** A statement whose ten days to pay ended yesterday. */
async function overdueMonth() {
  const sale = await aSale()
  await setTerms(sale.partner, { paymentDays: 10 })
  await sell(sale.client, sale.event.id, ['seat-2-1'])
  await moveInTime(sale.partner, '-45 days')
  const { statementId } = await issueFor(sale.partner)
  await ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
     UPDATE settlement_statements SET issued_at = issued_at - interval '11 days' FROM free WHERE id = ?`,
    statementId
  )
  return { partner: sale.partner, statementId }
}

/** The lines of the partners, and the last one, which adds them up. */
async function readFileOf(q: string) {
  const auditor = await StaffClient.signedIn('auditor')
  const file = await auditor.get(`/back-office/settlement.csv?q=${q}`)
  const [, ...lines] = parse<Record<string, string>>(await file.text(), {
    bom: true,
    columns: true,
    delimiter: ';',
  })
  return { lines: lines.slice(0, -1), totals: lines.at(-1) }
}

/** Gives partners a name that a search finds them by, and no other. */
async function rename(ids: number[]) {
  const name = `renamed-${randomUUID().slice(0, 8)}`
  await ownerRows('UPDATE partners SET name = ? WHERE id = ANY(?)', name, ids)
  return name
}

async function anAccount() {
  const { partner } = await aClosableMonth()
  const { statementId } = await issueFor(partner)
  const path = `/settlement/${partner.code}`
  const client = await signedIn(await aStaffMember('finance'))
  await client.get(path)
  const pay = (amountTenge: number, parts: object[] = []) =>
    client.post(`${path}/payments`, {
      bankReference: `ПП ${randomUUID()}`,
      paidOn: localDay(new Date()),
      direction: 'from_partner',
      amountTenge,
      parts,
    })
  const itemsOf = async (reader = client) => {
    const { props } = await reader.get(path)
    return props.items as OpenItems
  }
  return { partner, statementId, path, client, pay, itemsOf }
}

test.group('Open items of an account', () => {
  test('are shown with what is put against what, their age and a proposal', async ({ assert }) => {
    const { statementId, pay, itemsOf, client } = await anAccount()
    await pay(1_000)
    const { debits, credits, allocations, ageing } = await itemsOf()
    const [debit] = debits
    const [credit] = credits
    assert.deepEqual(
      [debit.item, debit.statementId, debit.allocatedTenge, debit.ageDays],
      [`statement:${statementId}`, statementId, 0, 0]
    )
    assert.deepEqual(credit.proposal, { debit: debit.item, amountTenge: 1_000 })
    assert.deepEqual(allocations, [])
    assert.deepEqual(ageing.debits, {
      to30: debit.restTenge,
      to60: 0,
      to90: 0,
      over90: 0,
      total: debit.restTenge,
    })
    assert.equal(ageing.credits.total, 1_000)
    const { props } = await client.get(`/statements/${statementId}`)
    assert.equal(props.statement.paymentStatus, 'open')
  })

  test('the list of accounts has the same sums as the account, and their total', async ({
    assert,
  }) => {
    const { partner, pay, itemsOf } = await anAccount()
    const before = await readAgeing(null)
    await pay(1_000)
    const { ageing } = await itemsOf()
    const { byCode, total } = await readAgeing(null)
    assert.deepEqual(byCode[partner.code], ageing)
    assert.equal(total.credits.to30, before.total.credits.to30 + 1_000)
    assert.equal(total.debits.total, before.total.debits.total)
  })

  test('the balance of the list is the closing balance of the last statement plus what has moved since', async ({
    assert,
  }) => {
    const { partner, pay } = await anAccount()
    await pay(1_000)
    // 24,000 less 7.5 % commission of 1,800 and its VAT of 288.
    const [{ closingTenge }] = await listAccounts(partner.code)
    assert.equal(closingTenge, 21_912)
    const { byCode } = await readBalances(partner.code)
    assert.deepEqual(byCode, { [partner.code]: 20_912 })
  })

  test('the list and its file mark money that is not paid by the last day', async ({ assert }) => {
    const { partner, statementId } = await overdueMonth()
    const { dueTenge, payBy } = await findStatement(statementId)
    const overdueOf = async () => {
      const [account] = await listAccounts(partner.code)
      return account.overdue
    }
    assert.deepEqual(await overdueOf(), { statements: 1, payBy: payBy!, tenge: Number(dueTenge) })
    const {
      lines: [line],
    } = await readFileOf(partner.code)
    assert.include(line, {
      overdue_statements: '1',
      pay_by: payBy!,
      overdue_tenge: String(dueTenge),
    })
    const paid = { partnerCode: partner.code, direction: 'from_partner', actor: aPerson() } as const
    const part = async (amountTenge: bigint) =>
      new RecordPayment().handle({
        ...paid,
        bankReference: `ПП ${randomUUID()}`,
        paidOn: localDay(new Date()),
        amountTenge,
        parts: [{ statementId, amountTenge }],
      })
    await part(1_000n)
    assert.equal((await overdueOf())!.tenge, Number(dueTenge) - 1_000)
    await part(dueTenge - 1_000n)
    assert.isNull(await overdueOf())
  })

  test('of several statements that are not paid the list names the first last day', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner, { paymentDays: 10 })
    const issueAfter = async (seat: string, by: string) => {
      await sell(client, event.id, [seat])
      await moveInTime(partner, by)
      const { statementId } = await issueFor(partner)
      return statementId
    }
    const first = await issueAfter('seat-2-1', '-3 months')
    const second = await issueAfter('seat-2-2', '-2 months')
    for (const [id, days] of [
      [first, 40],
      [second, 12],
    ])
      await ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE settlement_statements SET issued_at = issued_at - make_interval(days => ?) FROM free WHERE id = ?`,
        days,
        id
      )
    const { payBy } = await findStatement(first)
    const [{ overdue }] = await listAccounts(partner.code)
    assert.deepEqual([overdue!.statements, overdue!.payBy], [2, payBy!])
  })

  test('the list of accounts is a file too, with the same sums', async ({ assert }) => {
    const { partner, pay, itemsOf } = await anAccount()
    await pay(1_000)
    const { ageing } = await itemsOf()
    const [account] = await listAccounts(partner.code)
    const balances = await readBalances(null)
    const {
      lines: [line, ...more],
    } = await readFileOf(partner.code)
    assert.deepEqual(more, [])
    assert.include(line, {
      partner: partner.code,
      balance_tenge: String(balances.byCode[partner.code]),
      debits_tenge: String(ageing.debits.total),
      debits_to_30_days_tenge: String(ageing.debits.to30),
      debits_over_90_days_tenge: '0',
      credits_tenge: '1000',
      last_statement: statementNumber(account.number!),
      payment_status: 'open',
      closing_tenge: String(account.closingTenge),
      overdue_statements: '0',
      pay_by: '',
      overdue_tenge: '0',
      open_cases: '0',
    })
    const support = await StaffClient.signedIn('support')
    const refused = await support.get('/back-office/settlement.csv')
    assert.equal(refused.status, 403)
  })

  test('the totals are those of the partners that the search shows, on the page and in the file', async ({
    assert,
  }) => {
    const first = await anAccount()
    await first.pay(1_000)
    const second = await anAccount()
    const { partner: third } = await aCaseOfTwoParties()
    await lateCase()
    const name = await rename([first.partner.id, second.partner.id, third.id])
    const accounts = await listAccounts(name)
    assert.lengthOf(accounts, 3)
    const closingTenge = sumNumbers(accounts, (account) => account.closingTenge ?? 0)
    const { props } = await first.client.get(`/settlement?q=${name}`)
    assert.deepEqual(props.totals, {
      closingTenge,
      openCases: 1,
      exposure: { buyer: 12_000, platform: 12_000, partner: 0 },
    })
    const [all, everyone] = [await sumAccounts.one({ q: null }), await listAccounts(null)]
    assert.equal(all.count, everyone.length)
    assert.equal(
      all.closingTenge,
      sumNumbers(everyone, (account) => account.closingTenge ?? 0)
    )

    const balances = await readBalances(name)
    assert.sameMembers(
      Object.keys(balances.byCode),
      accounts.map(({ code }) => code)
    )
    assert.equal(
      balances.totalTenge,
      sumNumbers(Object.values(balances.byCode), (tenge) => tenge)
    )
    const ageing = await readAgeing(name)
    const { ageing: ofFirst } = await first.itemsOf()
    const { ageing: ofSecond } = await second.itemsOf()
    assert.equal(ageing.total.credits.total, 1_000)
    assert.equal(ageing.total.debits.to30, ofFirst.debits.to30 + ofSecond.debits.to30)

    const { lines, totals } = await readFileOf(name)
    assert.lengthOf(lines, 3)
    const added = (column: string) => String(sumNumbers(lines, (line) => Number(line[column])))
    const sums = Object.keys(totals!).filter((column) => /_tenge$|^overdue_|_cases$/.test(column))
    assert.lengthOf(sums, 14)
    assert.deepEqual(totals, {
      partner: '',
      name: totals!.name,
      last_statement: '',
      closed_until: '',
      status: '',
      payment_status: '',
      pay_by: '',
      ...Object.fromEntries(sums.map((column) => [column, added(column)])),
    })
    assert.include(totals, {
      balance_tenge: String(balances.totalTenge),
      debits_tenge: String(ageing.total.debits.total),
      credits_tenge: '1000',
      closing_tenge: String(closingTenge),
      open_cases: '1',
      open_platform_tenge: '12000',
    })
    const none = await readFileOf('nobody-is-called-so')
    assert.deepEqual(none, { lines: [], totals: undefined })
  })

  test('of more than 500 partners the page says how many there are, and the file has all', async ({
    assert,
    cleanup,
  }) => {
    const name = `many-${randomUUID().slice(0, 8)}`
    await ownerRows(
      `INSERT INTO partners (code, name) SELECT ? || '-' || n, ? || '-' || n FROM generate_series(1, 503) n`,
      name,
      name
    )
    // The last one by name, which is not among those shown.
    const { partner } = await anAccount()
    await ownerRows(`UPDATE partners SET name = ? || '-z' WHERE id = ?`, name, partner.id)
    cleanup(async () => {
      const ofThem = `USING free, partners p WHERE partner_id = p.id AND p.code LIKE '${name}-%'`
      for (const sql of [
        `settlement_terms ${ofThem}`,
        `settlement_accounts ${ofThem}`,
        `partners USING free WHERE code LIKE '${name}-%'`,
      ])
        await ownerRows(
          `WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) DELETE FROM ${sql}`
        )
    })
    const finance = await signedIn(await aStaffMember('finance'))
    const { props } = await finance.get(`/settlement?q=${name}`)
    assert.lengthOf(props.accounts, 500)
    assert.equal(props.count, 504)
    const [account] = await listAccounts(partner.code)
    assert.isAbove(account.closingTenge!, 0)
    assert.equal(props.totals.closingTenge, account.closingTenge)
    const { lines } = await readFileOf(name)
    assert.lengthOf(lines, 504)
    const few = await finance.get(`/settlement?q=${name}-50`)
    assert.equal(few.props.count, 5)
    assert.lengthOf(few.props.accounts, 5)
  })

  test('a credit is put against a debit by a person, and only by one who may', async ({
    assert,
  }) => {
    const { path, pay, itemsOf, client, statementId } = await anAccount()
    await pay(1_000)
    const { debits, credits } = await itemsOf()
    const allocation = { credit: credits[0].item, debit: debits[0].item, amountTenge: 600 }
    const auditor = await signedIn(await aStaffMember('auditor'))
    await auditor.get(path)
    await auditor.post(`${path}/allocations`, allocation)
    const untouched = await itemsOf()
    assert.deepEqual(untouched.allocations, [])
    const tooMuch = client.post(`${path}/allocations`, { ...allocation, amountTenge: 1_001 })
    assert.deepEqual(await client.errorsAfter(tooMuch), { amountTenge: 'fields.out_of_range' })
    const strange = client.post(`${path}/allocations`, { ...allocation, debit: 'order:1' })
    assert.deepEqual(await client.errorsAfter(strange), { debit: 'fields.wrong_form' })
    await client.post(`${path}/allocations`, allocation)
    const after = await itemsOf()
    assert.equal(after.credits[0].restTenge, 400)
    const [made] = after.allocations
    assert.equal(made.amountTenge, 600)
    assert.match(made.debit, /^SET-/)
    const { props } = await client.get(`/statements/${statementId}`)
    assert.deepEqual([props.statement.paymentStatus, props.statement.paidTenge], ['part_paid', 600])
    await client.delete(`${path}/allocations/${made.id}`, { reason: 'Не та ведомость' })
    const undone = await itemsOf()
    assert.deepEqual(undone.allocations, [])
  })

  test('a payment that the bank takes back opens its statement again', async ({ assert }) => {
    const { partner, path, pay, itemsOf, client, statementId } = await anAccount()
    const before = await itemsOf()
    const [{ restTenge }] = before.debits
    await pay(restTenge, [{ statementId, amountTenge: restTenge }])
    const paid = await itemsOf()
    assert.deepEqual(paid.debits, [])
    const { id } = await one('SELECT id FROM settlement_payments WHERE partner_id = ?', partner.id)
    const reversal = { bankReference: '', paidOn: localDay(new Date()), reason: 'Банк вернул' }
    const empty = client.post(`/payments/${id}/reversal`, reversal)
    assert.deepEqual(await client.errorsAfter(empty), { bankReference: 'fields.required' })
    await client.post(`/payments/${id}/reversal`, { ...reversal, bankReference: randomUUID() })
    const reopened = await itemsOf()
    assert.equal(reopened.debits[0].restTenge, restTenge)
    const { props } = await client.get(path)
    const [back, original] = props.payments.rows as {
      reverses: string | null
      isReversed: boolean
      statements: string[]
    }[]
    assert.deepEqual(original.statements, [])
    assert.isNotNull(back.reverses)
    assert.deepEqual([original.reverses, original.isReversed], [null, true])
    assert.equal(props.statements[0].paymentStatus, 'open')
    const [{ isReversal, id: allocationId }] = reopened.allocations
    assert.isTrue(isReversal)
    const undo = client.delete(`${path}/allocations/${allocationId}`, { reason: 'По ошибке' })
    assert.deepEqual(await client.errorsAfter(undo), { form: 'refused.NO_SUCH' })
  })

  test('a payment that repeats another one is refused with the name of that', async ({
    assert,
  }) => {
    const { partner, path, client } = await anAccount()
    const payment = { paidOn: localDay(new Date()), direction: 'from_partner', amountTenge: 4_321 }
    const post = (bankReference: string) =>
      client.post(`${path}/payments`, { ...payment, bankReference, parts: [] })
    await post(`ПП №17 ${partner.code}`)
    const { id } = await one('SELECT id FROM settlement_payments WHERE partner_id = ?', partner.id)
    const { location } = await post(`pp-017 ${partner.code}`)
    const { props } = await client.get(location!.replace('/back-office', ''))
    assert.deepEqual(props.errors, { form: 'refused.PAYMENT_EXISTS' })
    const { paidOn, amountTenge } = payment
    const named = { id, bankReference: `ПП №17 ${partner.code}`, paidOn, amountTenge }
    assert.deepEqual(props.existingPayment, named)
    const { props: later } = await client.get(path)
    assert.isNull(later.existingPayment)
  })

  test('payments of one day, direction and sum are found, unless they were reversed', async ({
    assert,
  }) => {
    const { partner, path, pay, client } = await anAccount()
    await pay(1_234)
    const { id } = await one('SELECT id FROM settlement_payments WHERE partner_id = ?', partner.id)
    const asked = { paidOn: localDay(new Date()), direction: 'from_partner', amountTenge: '1234' }
    const found = async (other: Partial<typeof asked> = {}) => {
      const address = `${path}?${new URLSearchParams({ ...asked, ...other })}`
      return ((await client.part(address, 'samePayments')) as { id: number }[]).map(
        (same) => same.id
      )
    }
    assert.deepEqual(await found(), [id])
    const others = [{ paidOn: '2026-01-01' }, { direction: 'to_partner' }, { amountTenge: '1235' }]
    for (const other of [...others, { paidOn: 'x' }, { amountTenge: '' }])
      assert.deepEqual(await found(other), [], JSON.stringify(other))
    const reversal = { bankReference: randomUUID(), paidOn: asked.paidOn, reason: 'Банк вернул' }
    await client.post(`/payments/${id}/reversal`, reversal)
    assert.deepEqual(await found(), [])
  })

  test('a memo is taken back on the account’s page', async ({ assert }) => {
    const { partner, path, itemsOf, client } = await anAccount()
    await client.post(`${path}/memos`, { kind: 'adj_credit', amountTenge: 700, reason: 'Возврат' })
    const before = await itemsOf()
    assert.lengthOf(before.credits, 1)
    const { id } = await one('SELECT id FROM settlement_memos WHERE partner_id = ?', partner.id)
    await client.post(`/memos/${id}/reversal`, { reason: 'По ошибке' })
    const { credits, debits } = await itemsOf()
    assert.deepEqual([credits.length, debits.length], [0, 1])
    const { props } = await client.get(path)
    const [back, original] = props.memos.rows as {
      number: string
      reverses: string | null
      isReversed: boolean
    }[]
    assert.equal(back.reverses, original.number)
    assert.isTrue(original.isReversed)
  })
})
