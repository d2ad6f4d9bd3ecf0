import { aStaffMember } from '#tests/support/browser'
import { aSale } from '#tests/support/fixtures'
import { signedIn } from '#tests/support/page_client'
import { fileOf, lineOf, matchedRegister, soldOrderOf, versionOf } from '#tests/support/registers'
import { one, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

test.group('Input that PostgreSQL cannot store', () => {
  test('text and numbers that PostgreSQL cannot store never cause a server error', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const id = await matchedRegister(sale.partner, fileOf(await lineOf(orderId)))
    const finance = await signedIn(await aStaffMember('finance'))
    const casesOf = () =>
      rows('SELECT id AS "caseId", version FROM partner_register_cases WHERE register_id = ?', id)
    const decide = async (change: object) =>
      finance.put(`/registers/${id}/matches`, { cases: await casesOf(), ...change })
    const map = async (mapping: object) =>
      finance.put(`/registers/${id}/mapping`, { version: await versionOf(id), mapping })
    const drop = async (reason: string) =>
      finance.delete(`/registers/${id}`, { version: await versionOf(id), reason })
    const tooLarge = 3_000_000_000
    const asked: [string, () => Promise<{ status: number }>][] = [
      ['a day of the year 0', () => decide({ dueOn: '0000-01-01' })],
      ['a case of a number too large', () => decide({ cases: [{ caseId: tooLarge, version: 1 }] })],
      ['an owner of a number too large', () => decide({ owner: '999999999' })],
      ['a search for a NUL', () => finance.get(`/registers/${id}?q=%00`)],
      ['a search for half a letter', () => finance.get(`/registers/${id}?q=%ED%A0%80`)],
      ['a place too large', () => finance.get(`/registers/${id}?before=999999999`)],
      ['a step with a NUL', () => finance.get(`/registers/${id}?step=%00`)],
      ['a file of it', () => finance.get(`/registers/${id}.csv?q=%00`)],
      ['a partner with a NUL', () => finance.get('/partners/%00')],
      ['an order with a NUL', () => finance.get('/orders/%00')],
      ['orders with a NUL', () => finance.get('/orders?q=%00&partner=%00')],
      ['cases with a NUL', () => finance.get('/cases?q=%00&partner=%00&code=%00')],
      ['the journal with a NUL', () => finance.get('/journal?q=%00&partner=%00')],
      ['a mapping of huge columns', () => map({ amount: 1e300, orderId: 1 })],
      ['a mapping of fields that are none', () => map({ amount: 3, constructor: 1 })],
      ['a reason with a NUL', () => drop('\0')],
    ]
    for (const [what, ask] of asked) {
      const { status } = await ask()
      assert.isBelow(status, 500, what)
    }

    for (const [typed, kept] of [
      ['a\u0000b', 'a\u{FFFD}b'],
      ['a\ud83d', 'a\u{FFFD}'],
    ]) {
      await decide({ note: typed })
      const { note } = await one(
        'SELECT note FROM partner_register_cases WHERE register_id = ?',
        id
      )
      assert.equal(note, kept)
    }
  })
})
