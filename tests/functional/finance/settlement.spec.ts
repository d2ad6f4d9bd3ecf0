import { aPartner, aSale, sell } from '#tests/support/fixtures'
import { aClosableMonth, aContact, issueFor } from '#tests/support/mails'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { signedIn } from '#tests/support/page_client'
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
    const { statementId: first } = await issueAfter('seat-2-1', '-75 days')
    const { statementId: second } = await issueAfter('seat-2-2', '-45 days')
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
})
