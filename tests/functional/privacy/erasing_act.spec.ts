import { bought, customerOf, pseudonymOf, aBuyer } from '#tests/support/buyers'
import { aSale } from '#tests/support/fixtures'
import { matchedRegister } from '#tests/support/registers'
import { one, rows } from '#tests/support/rows'
import { aStaffMember } from '#tests/support/browser'
import { signedIn } from '#tests/support/page_client'
import { StaffClient } from '#tests/support/staff_client'
import { run, start } from '#tests/functional/console/support'
import { test } from '@japa/runner'

const aReason = 'Письмо покупателя от 3 марта'
const form = (orderId: string, more: object = {}) => ({
  scope: 'order',
  confirmation: orderId,
  reason: aReason,
  ...more,
})
const urlOf = (orderId: string) => `/back-office/orders/${orderId}/buyer-erasures`
const entryOf = async (orderId: string) => {
  const found = await rows(
    `SELECT actor_kind, change FROM journal WHERE order_id = ? AND name = 'buyer_erased'`,
    orderId
  )
  return found
}

test.group('Erasing a buyer in the back office', () => {
  test('an administrator erases the buyer of one order; the journal has reason and person, no buyer', async ({
    assert,
  }) => {
    const sale = await aSale()
    const buyer = aBuyer()
    const { orderId } = await bought(buyer, { sale })
    const other = await bought(buyer, { sale, seat: 'seat-2-2' })
    const admin = await StaffClient.signedIn('admin')
    const { status } = await admin.send('POST', urlOf(orderId), form(orderId))
    assert.oneOf(status, [302, 303])
    assert.containsSubset(await customerOf('orders', orderId), { email: pseudonymOf(orderId) })
    assert.deepEqual(await customerOf('orders', other.orderId), buyer)
    assert.deepEqual(await entryOf(orderId), [
      { actor_kind: 'staff', change: { found_by: 'order', reason: aReason } },
    ])
  })

  test('of all orders with the e-mail, in any case', async ({ assert }) => {
    const sale = await aSale()
    const buyer = aBuyer()
    const { orderId } = await bought(buyer, { sale })
    const same = { ...buyer, email: buyer.email.toUpperCase() }
    const other = await bought(same, { sale, seat: 'seat-2-2' })
    const admin = await StaffClient.signedIn('admin')
    await admin.send('POST', urlOf(orderId), form(orderId, { scope: 'email' }))
    for (const id of [orderId, other.orderId])
      assert.containsSubset(await customerOf('orders', id), { email: pseudonymOf(id) })
  })

  test('without the number of the order, or a reason, nothing is erased', async ({ assert }) => {
    const { orderId, buyer } = await bought()
    const admin = await StaffClient.signedIn('admin')
    for (const wrong of [{ confirmation: 'TIX-2026-1' }, { reason: '' }, { scope: 'all' }])
      await admin.send('POST', urlOf(orderId), form(orderId, wrong))
    assert.deepEqual(await customerOf('orders', orderId), buyer)
    assert.deepEqual(await entryOf(orderId), [])
  })

  test('only an administrator may, and sees what would be erased', async ({ assert }) => {
    const { orderId, buyer } = await bought()
    const support = await StaffClient.signedIn('support')
    const { status } = await support.send('POST', urlOf(orderId), form(orderId))
    assert.equal(status, 403)
    assert.deepEqual(await customerOf('orders', orderId), buyer)
    const shownTo = async (role: 'admin' | 'support') => {
      const client = await signedIn(await aStaffMember(role))
      const { props } = await client.get(`/orders/${orderId}`)
      return (props as { buyerToErase: object | null }).buyerToErase
    }
    assert.isNull(await shownTo('support'))
    const counts = { orders: 1, upcoming: 1, inOpenCases: 0 }
    assert.deepEqual(await shownTo('admin'), { order: counts, email: counts, isEmailShared: false })
  })
})

test.group('buyer:erase', () => {
  test('shows what it would erase and changes nothing; with --yes it erases', async ({
    assert,
  }) => {
    const { orderId, buyer } = await bought()
    for (const flag of [`--order=${orderId}`, `--email=${buyer.email}`, `--phone=${buyer.phone}`]) {
      const shown = await run('buyer:erase', flag)
      assert.equal(shown.exitCode, 0)
      assert.include(shown.text, orderId)
      assert.include(shown.text, 'Nothing was changed')
    }
    assert.deepEqual(await customerOf('orders', orderId), buyer)

    const erased = await run(
      'buyer:erase',
      `--email=${buyer.email}`,
      '--yes',
      `--reason=${aReason}`
    )
    assert.equal(erased.exitCode, 0)
    assert.include(erased.text, 'Erased: 1 orders')
    assert.containsSubset(await customerOf('orders', orderId), { email: pseudonymOf(orderId) })
    assert.deepEqual(await entryOf(orderId), [
      { actor_kind: 'console', change: { found_by: 'email', reason: aReason } },
    ])
  })

  test('a phone is found in any spelling', async ({ assert }) => {
    const digits = String(Math.floor(Math.random() * 1e7)).padStart(7, '0')
    const { orderId } = await bought({ ...aBuyer(), phone: `8 (705) ${digits}` })
    for (const phone of [`+7705${digits}`, `8705${digits}`]) {
      const { text } = await run('buyer:erase', `--phone=${phone}`)
      assert.include(text, orderId)
    }
  })

  test('refuses without a reason, without or with two searches, and for an unknown order', async ({
    assert,
  }) => {
    const { orderId, buyer } = await bought()
    for (const args of [
      [`--order=${orderId}`, '--yes'],
      [],
      [`--order=${orderId}`, `--email=${buyer.email}`],
      ['--order=TIX-2020-999999'],
    ]) {
      const { exitCode } = await run('buyer:erase', ...args)
      assert.equal(exitCode, 1, args.join(' '))
    }
    assert.deepEqual(await customerOf('orders', orderId), buyer)
  })

  test('somebody known from a register alone is erased there, with an entry', async ({
    assert,
  }) => {
    const { email } = aBuyer()
    const { partner } = await aSale()
    const lines = ['Номер заказа;Сумма;Дата оплаты;E-mail', `чужой;500;2026-11-24 10:00;${email}`]
    const id = await matchedRegister(partner, lines.join('\r\n'))
    const { text } = await run('buyer:erase', `--email=${email}`, '--yes', `--reason=${email} asks`)
    assert.include(text, '1 rows of registers')
    const row = await one('SELECT email FROM partner_register_rows WHERE register_id = ?', id)
    assert.isNull(row.email)
    const { change } = await one(
      `SELECT change FROM journal WHERE name = 'buyer_erased' AND order_id IS NULL AND booking_id IS NULL ORDER BY id DESC LIMIT 1`
    )
    assert.deepEqual(change, { found_by: 'email', reason: '[erased] asks' })
  })
})

test.group('BUYER_RETENTION_DAYS', () => {
  for (const days of ['179', '200.5', '-1'])
    test(`${days} ends the process at its start, with the name of the setting`, async ({
      assert,
    }) => {
      const { ended } = start(['buyer:erase', '--order=TIX-2020-999999'], {
        BUYER_RETENTION_DAYS: days,
      })
      const { exitCode, text } = await ended
      assert.notEqual(exitCode, 0)
      assert.include(text, 'BUYER_RETENTION_DAYS must be a whole number from 180')
    })

  test('180 and nothing at all are taken', async ({ assert }) => {
    for (const days of ['180', '']) {
      const { ended } = start(['buyer:erase', '--order=TIX-2020-999999'], {
        BUYER_RETENTION_DAYS: days,
      })
      const { text } = await ended
      assert.include(text, 'ORDER_NOT_FOUND')
    }
  })
})
