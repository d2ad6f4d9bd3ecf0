import { aPartner } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import { aStaffMember } from '#tests/support/browser'
import { test } from '@japa/runner'

const PAYMENT = {
  ...{ bankReference: 'ПП-1', paidOn: '2026-11-20', direction: 'from_partner' },
  ...{ amountTenge: 100, parts: [] },
}

test.group('Settlement forms', () => {
  const WRONG: [field: string, value: unknown, told: string][] = [
    ['paidOn', '2026-02-30', 'fields.not_a_date'],
    ['paidOn', '20.11.2026', 'fields.not_a_date'],
    ['amountTenge', 0, 'fields.too_small'],
    ['amountTenge', 1.5, 'fields.not_a_number'],
    ['amountTenge', 'many', 'fields.not_a_number'],
    ['bankReference', '', 'fields.required'],
  ]
  test('a payment with {0} {1} is told so beside its field')
    .with(WRONG)
    .run(async ({ assert }, [field, value, told]) => {
      const partner = await aPartner()
      const client = await signedIn(await aStaffMember('finance'))
      await client.get(`/settlement/${partner.code}`)
      const sent = client.post(`/settlement/${partner.code}/payments`, {
        ...PAYMENT,
        [field]: value,
      })
      assert.deepEqual(await client.errorsAfter(sent), { [field]: told })
    })

  test('partners, statements and memos that are not there', async ({ assert }) => {
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
