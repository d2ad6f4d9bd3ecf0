import { RequestMemo } from '#ledger/actions/memos'
import RecordPayment from '#ledger/actions/record_payment'
import { localDay } from '#shared/days'
import { PAGE_SIZE, type ListPage } from '#staff_area/lists'
import { aPartner, aPerson, aSale, sell } from '#tests/support/fixtures'
import { aClosableMonth, aContact, issueFor } from '#tests/support/mails'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { signedIn } from '#tests/support/page_client'
import { rows } from '#tests/support/rows'
import { aStaffMember } from '#tests/support/browser'
import { test } from '@japa/runner'

const PAYMENT = {
  bankReference: 'ПП-1',
  paidOn: '2026-11-20',
  direction: 'from_partner',
  amountTenge: 100,
  parts: [],
}

test.group('Settlement forms', () => {
  const WRONG: [field: string, value: unknown, message: string][] = [
    ['paidOn', '2026-02-30', 'fields.not_a_date'],
    ['paidOn', '20.11.2026', 'fields.not_a_date'],
    ['amountTenge', 0, 'fields.too_small'],
    ['amountTenge', 1.5, 'fields.not_a_number'],
    ['amountTenge', 'many', 'fields.not_a_number'],
    ['bankReference', '', 'fields.required'],
    ['paidOn', '2999-01-01', 'fields.in_future'],
    ['paidOn', '2019-01-01', 'fields.too_old'],
    ['bankReference', '№ –', 'fields.wrong_form'],
  ]
  test('a payment with {0} {1} is refused at its field')
    .with(WRONG)
    .run(async ({ assert }, [field, value, message]) => {
      const partner = await aPartner()
      const client = await signedIn(await aStaffMember('finance'))
      await client.get(`/settlement/${partner.code}`)
      const sent = client.post(`/settlement/${partner.code}/payments`, {
        ...PAYMENT,
        [field]: value,
      })
      assert.deepEqual(await client.errorsAfter(sent), { [field]: message })
    })

  test('a refusal of the ledger is shown in words of the page', async ({ assert }) => {
    const { partner } = await aClosableMonth()
    for (let n = 1; n <= 20; n++) await aContact(partner, { email: `c${n}@buyer.test` })
    const client = await signedIn(await aStaffMember('finance'))
    const path = `/settlement/${partner.code}`
    const { props } = await client.get(path)
    const contact = { email: 'c21@buyer.test', language: 'ru', getsStatements: false }
    assert.deepEqual(await client.errorsAfter(client.post(`${path}/contacts`, contact)), {
      email: 'fields.too_many',
    })
    const terms = { ...props.terms[0], contractDate: null, validFrom: '2026-01-01' }
    assert.deepEqual(await client.errorsAfter(client.post(`${path}/terms`, terms)), {
      validFrom: 'settlement.terms_in_past',
    })
  })

  test('only the latest statement can be withdrawn', async ({ assert }) => {
    const { partner, client: sales, event } = await aSale()
    await setTerms(partner)
    const issueAfter = async (seat: string, by: string) => {
      await sell(sales, event.id, [seat])
      await moveInTime(partner, by)
      return issueFor(partner)
    }
    const { statementId: first } = await issueAfter('seat-2-1', '-3 months')
    const { statementId: second } = await issueAfter('seat-2-2', '-2 months')
    const client = await signedIn(await aStaffMember('finance'))
    const triggersOf = async (id: number) => {
      const { props } = await client.get(`/statements/${id}`)
      return props.triggers as string[]
    }
    assert.deepEqual(await triggersOf(first), ['agree', 'dispute'])
    assert.deepEqual(await triggersOf(second), ['agree', 'dispute', 'supersede'])
  })

  test('unknown partners, statements and memos are not found', async ({ assert }) => {
    const client = await signedIn(await aStaffMember('finance'))
    for (const path of [
      '/settlement/nobody',
      '/statements/999999',
      '/statements/x',
      '/cases/999999',
    ])
      assert.equal(await client.statusOf(path), 404, path)
  })

  test('a large payment waits on the account’s page for somebody else', async ({ assert }) => {
    const partner = await aPartner()
    const path = `/settlement/${partner.code}`
    const client = await signedIn(await aStaffMember('finance'))
    await client.get(path)
    const payment = { ...PAYMENT, bankReference: `ПП ${partner.code}`, amountTenge: 50_000_000 }
    await client.post(`${path}/payments`, payment)
    const { props } = await client.get(path)
    const [request] = props.requests as { id: number; act: string; amountTenge: number }[]
    assert.deepEqual([request.act, request.amountTenge], ['payment', 50_000_000])
    assert.deepEqual(props.payments.rows, [])
    const approval = `/settlement-requests/${request.id}/approval`
    assert.deepEqual(await client.errorsAfter(client.post(approval)), {
      form: 'refused.OWN_REQUEST',
    })
    const other = await signedIn(await aStaffMember('finance'))
    await other.get(path)
    await other.post(approval)
    const after = await other.get(path)
    assert.deepEqual(after.props.requests, [])
    assert.lengthOf(after.props.payments.rows, 1)
    const reader = await signedIn(await aStaffMember('auditor'))
    await reader.get(path)
    await reader.post(approval)
    const seen = await reader.get(path)
    assert.lengthOf(seen.props.payments.rows, 1)
  })

  test('the second person sees which payment an approved one would repeat', async ({ assert }) => {
    const partner = await aPartner()
    const path = `/settlement/${partner.code}`
    const client = await signedIn(await aStaffMember('finance'))
    await client.get(path)
    const { paidOn } = PAYMENT
    const amountTenge = 50_000_000
    for (const bankReference of [`ПП №17 ${partner.code}`, `pp-017 ${partner.code}`])
      await client.post(`${path}/payments`, { ...PAYMENT, bankReference, amountTenge })
    const { props } = await client.get(path)
    const [first, second] = props.requests as { id: number }[]
    const approver = await signedIn(await aStaffMember('finance'))
    await approver.get(path)
    await approver.post(`/settlement-requests/${first.id}/approval`)
    const { location } = await approver.post(`/settlement-requests/${second.id}/approval`)
    const { props: refused } = await approver.get(location!.replace('/back-office', ''))
    assert.deepEqual(refused.errors, { form: 'refused.PAYMENT_EXISTS' })
    const [{ id }] = refused.payments.rows as { id: number }[]
    const bankReference = `ПП №17 ${partner.code}`
    assert.deepEqual(refused.existingPayment, { id, bankReference, paidOn, amountTenge })
  })

  test('older payments and memos are on further pages, and a memo that waits is on the first one', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const path = `/settlement/${partner.code}`
    const actor = aPerson()
    const correct = (amountTenge: bigint) =>
      new RequestMemo().handle({
        partnerCode: partner.code,
        kind: 'adj_credit',
        amountTenge,
        reason: 'Возврат',
        origin: null,
        actor,
      })
    const { memoId: waiting } = await correct(900_000_000n)
    for (let n = 1; n <= PAGE_SIZE + 1; n++) {
      await correct(1n)
      await new RecordPayment().handle({
        partnerCode: partner.code,
        bankReference: `${partner.code} ${n}`,
        paidOn: localDay(new Date()),
        direction: 'from_partner',
        amountTenge: 1n,
        parts: [],
        actor,
      })
    }
    const client = await signedIn(await aStaffMember('finance'))
    type Shown = ListPage<{ id: number }>
    const idsOf = ({ rows: shown }: Shown) => shown.map(({ id }) => id)
    const storedIds = async (table: string) => {
      const found = await rows(`SELECT id FROM ${table} WHERE partner_id = ?`, partner.id)
      return found.map(({ id }) => id as number)
    }
    for (const [list, table] of [
      ['payments', 'settlement_payments'],
      ['memos', 'settlement_memos'],
    ]) {
      const { props } = await client.get(path)
      const newest = props[list] as Shown
      const { props: further } = await client.get(`${path}?${list}Before=${newest.older}`)
      const oldest = further[list] as Shown
      assert.deepEqual([newest.isFirst, oldest.isFirst, oldest.older], [true, false, null])
      assert.lengthOf(oldest.rows, 1)
      assert.sameMembers([...idsOf(newest), ...idsOf(oldest)], await storedIds(table))
    }
    const { props } = await client.get(path)
    assert.equal(props.memos.rows[0].id, waiting)
  })

  test('coming terms are withdrawn, and those in force are not', async ({ assert }) => {
    const partner = await aPartner()
    const { termsId: begun } = await setTerms(partner)
    const validFrom = new Date(`${new Date().getUTCFullYear() + 1}-03-01T00:00:00+05:00`)
    const { termsId } = await setTerms(partner, { validFrom, actor: aPerson() })
    const path = `/settlement/${partner.code}`
    const client = await signedIn(await aStaffMember('finance'))
    await client.get(path)
    const withdraw = (id: number | null) =>
      client.delete(`${path}/terms/${id}`, { reason: 'Не подписаны' })
    assert.deepEqual(await client.errorsAfter(withdraw(begun)), {
      form: 'refused.TERMS_HAVE_BEGUN',
    })
    await withdraw(termsId)
    const after = await client.get(path)
    assert.lengthOf(after.props.terms as unknown[], 1)
  })

  test('our details are set by finance and only read by an auditor', async ({ assert }) => {
    const client = await signedIn(await aStaffMember('finance'))
    const { props } = await client.get('/issuer')
    const [present] = props.issuers as { id: number; legalName: string; bin: string }[]
    const issuer = {
      legalName: present.legalName,
      address: null,
      city: 'Алматы',
      signatory: 'А. Серикова',
      replacesId: present.id,
    }
    for (const bin of ['12345', '170240054321']) {
      const errors = await client.errorsAfter(client.post('/issuer', { ...issuer, bin }))
      assert.deepEqual(errors, { bin: 'fields.not_a_bin' })
    }
    const right = { ...issuer, bin: present.bin }
    await client.post('/issuer', right)
    const latestOf = async (reader: typeof client) => {
      const page = await reader.get('/issuer')
      return (page.props.issuers as { id: number; signatory: string | null }[])[0]
    }
    const latest = await latestOf(client)
    assert.equal(latest.signatory, 'А. Серикова')
    assert.deepEqual(await client.errorsAfter(client.post('/issuer', right)), {
      form: 'refused.STALE',
    })
    const auditor = await signedIn(await aStaffMember('auditor'))
    await auditor.post('/issuer', { ...right, signatory: 'Другой', replacesId: latest.id })
    const unchanged = await latestOf(auditor)
    assert.equal(unchanged.id, latest.id)
  })
})
