import ChangePartner, { PARTNER_VERSION } from '#partners/actions/change_partner'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import {
  aPartner,
  aSale,
  anEvent,
  book,
  grant,
  order,
  paymentOf,
  TESTER,
} from '#tests/support/fixtures'
import { dataOf } from '#tests/support/answers'
import { PartnerClient } from '#tests/support/partner_client'
import { one, rows } from '#tests/support/rows'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'

const pageOf = ({ code }: { code: string }) => `/back-office/partners/${code}`
const statusFor = async (client: PartnerClient) => {
  const { status } = await client.get('/events')
  return status
}
const settingsOf = ({ id }: { id: number }) =>
  one(`SELECT *, ${PARTNER_VERSION} AS version FROM partners WHERE id = ?`, id)

test.group('Partners', () => {
  test('a partner is created with the contract’s limits and found in the list', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const taken = await aPartner()
    const code = `new-${randomBytes(4).toString('hex')}`
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/partners')
    await page.getByRole('button', { name: 'New partner' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Кино и Ко')
    const submit = dialog.getByRole('button', { name: 'Create' })
    await dialog.getByLabel('Code').fill('Кино')
    await submit.click()
    await dialog.getByText('Only lowercase letters').waitFor()
    await dialog.getByLabel('Code').fill(taken.code)
    await submit.click()
    await dialog.getByText('This exists already.').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByLabel('Code').fill(code)
    await submit.click()
    await page.waitForURL(`**${pageOf({ code })}`)
    await page.getByRole('heading', { name: 'Кино и Ко' }).waitFor()
    const { requests_per_minute: perMinute, hold_seconds: hold } = await one(
      'SELECT * FROM partners WHERE code = ?',
      code
    )
    assert.deepEqual([perMinute, hold], [100, 180])

    await page.goto('/back-office/partners')
    await page.getByRole('searchbox').fill(code.toUpperCase())
    await page.waitForURL('**?q=*')
    await page.getByRole('link', { name: 'Кино и Ко' }).waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    await page.getByRole('cell', { name: '0 ₸' }).waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('limits are changed, and the other editor’s change is shown before it is replaced', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const partner = await aPartner({ holdSeconds: 180, pendingOrders: 50 })
    const page = await browserContext.newPage()
    await openAs(page, 'operations', pageOf(partner))
    await page.getByRole('button', { name: 'Change: Name and limits' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Booking hold').fill('0')
    await dialog.getByLabel('Reason').fill('Agreed with the partner')
    const { version } = await settingsOf(partner)
    const changes = { pendingOrders: 70 }
    const byOther = { partnerCode: partner.code, version, changes, reason: null, actor: TESTER }
    await new ChangePartner().handle(byOther)
    const save = dialog.getByRole('button', { name: 'Save' })
    await save.click()
    await dialog.getByText('This is too small.').waitFor()
    await dialog.getByLabel('Booking hold').fill('240')
    await save.click()
    await dialog.getByText('Pending orders: 50 → 70').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Accept and continue' }).click()
    await save.click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const stored = await settingsOf(partner)
    assert.deepEqual([stored.hold_seconds, stored.pending_orders], [240, 70])
    assert.deepEqual(complaints, [])
  })

  test('a key is issued, rotated and revoked, and its secret is shown once', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const partner = await aPartner()
    const [{ api_key: first }] = await rows(
      'SELECT api_key FROM partner_keys WHERE partner_id = ?',
      partner.id
    )
    const page = await browserContext.newPage()
    await openAs(page, 'operations', pageOf(partner))
    const replace = page.getByRole('button', { name: /^Replace:/ })
    await replace.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/The old key works until/).fill('2020-01-01T00:00')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await dialog.getByText('This time has already passed.').waitFor()
    await dialog.getByLabel(/The old key works until/).fill('2035-01-01T00:00')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await dialog.getByText('The secret of the new key').waitFor()
    await assertAccessible(page, assert)
    const [apiKey, secret] = await dialog.locator('code').allTextContents()
    assert.equal(await statusFor(new PartnerClient({ apiKey, secret })), 200)
    assert.equal(await statusFor(partner.client), 200)
    const { expires_at: endsAt } = await one(
      'SELECT expires_at FROM partner_keys WHERE api_key = ?',
      first
    )
    assert.equal((endsAt as Date).toISOString(), '2034-12-31T19:00:00.000Z')

    const kept = await page.evaluate(() => JSON.stringify(history.state) + location.href)
    assert.notInclude(kept, secret)
    await dialog.getByRole('button', { name: 'Saved, close' }).click()
    await page.reload()
    await page.getByText('Being replaced').waitFor()
    assert.notInclude(await page.content(), secret)
    const entries = await rows('SELECT change FROM journal WHERE partner_id = ?', partner.id)
    assert.notInclude(JSON.stringify(entries), secret)

    await page.getByRole('button', { name: `Revoke: ${first.slice(0, 16)}` }).click()
    const revoke = dialog.getByRole('button', { name: 'Revoke' })
    assert.isTrue(await revoke.isDisabled())
    await dialog.getByRole('textbox').fill(partner.code)
    await revoke.click()
    await page.getByText('Key revoked').first().waitFor()
    assert.equal(await statusFor(partner.client), 401)
    assert.equal(await statusFor(new PartnerClient({ apiKey, secret })), 200)
    assert.deepEqual(complaints, [])
  })

  test('allowed addresses and the endpoint are set, and mistakes are shown', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const partner = await aPartner()
    const page = await browserContext.newPage()
    await openAs(page, 'operations', pageOf(partner))
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Change: Allowed addresses' }).click()
    await dialog.getByLabel('Allowed addresses').fill('203.0.113.0/24\n\n10.0.0.0/33')
    await dialog.getByLabel('Reason').fill('Their new data centre')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Line 3: This is not an address or a CIDR range.').waitFor()
    await dialog.getByLabel('Allowed addresses').fill('203.0.113.0/24\n2001:db8::/32')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The list of addresses is saved').first().waitFor()
    const { allowed_addresses: stored } = await settingsOf(partner)
    assert.deepEqual(stored, ['203.0.113.0/24', '2001:db8::/32'])
    assert.equal(await statusFor(partner.client), 401)

    await page.getByRole('button', { name: 'Set the address' }).click()
    await dialog.getByLabel('Address').fill('https://name:word@partner.test/')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('It must not carry a name or password.').waitFor()
    await dialog.getByLabel('Address').fill('https://hooks.partner.test/in')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('https://hooks.partner.test/in').waitFor()
    await page.getByRole('button', { name: 'Ping' }).click()
    await page.getByText('A ping is on its way').first().waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('requests are shown against their limits, with the refused ones', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const partner = await aPartner({
      requestsPerMinute: 10,
      requestsInFlight: 4,
      allowedAddresses: ['203.0.113.0/24'],
    })
    const own = { headers: { 'X-Forwarded-For': '203.0.113.7' } }
    for (let i = 0; i < 8; i++) await partner.client.get('/events', own)
    await partner.client.get('/events', { headers: { 'X-Forwarded-For': '198.51.100.23' } })
    const unknown = await partner.client.get('/events/evt_none', own)
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', pageOf(partner))
    await page.getByText('9 of 10').waitFor()
    await page.getByText('0 of 4').waitFor()
    await page.getByText('198.51.100.23').waitFor()
    await page.reload()
    await page.getByText(unknown.headers.get('x-request-id')!).waitFor()
    await page.getByRole('cell', { name: 'GET /events/:event_id' }).waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a partner is suspended after its impact is shown, and resumed', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, client, event } = await aSale()
    const booking = dataOf(await book(client, event.id, ['seat-1-1']))
    const placed = dataOf(await order(client, booking.booking_id))
    await book(client, event.id, ['seat-1-2'])
    const page = await browserContext.newPage()
    await openAs(page, 'operations', pageOf(partner))
    await page.getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Active bookings now: 1.').waitFor()
    await dialog.getByText('Orders in their payment window: 1.').waitFor()
    await assertAccessible(page, assert)
    const submit = dialog.getByRole('button', { name: 'Suspend' })
    await dialog.getByLabel('Reason').fill('Unpaid invoices')
    assert.isTrue(await submit.isDisabled())
    await dialog.getByLabel(/^Type/).fill(partner.code)
    await submit.dblclick()
    await page.getByText('The partner is suspended').first().waitFor()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await statusFor(client), 403)
    const confirm = `/orders/${placed.order_id}/confirm`
    const paid = await client.post(confirm, paymentOf(placed.total_tenge))
    assert.equal(paid.status, 200)

    await page.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByLabel('Reason').fill('Invoices paid')
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('The partner is active again').first().waitFor()
    assert.equal(await statusFor(client), 200)
    const entries = await rows(
      `SELECT name, change ->> 'reason' AS reason, actor_kind FROM journal
        WHERE partner_id = ? AND name LIKE 'partner_%d' AND actor_kind = 'staff' ORDER BY id`,
      partner.id
    )
    assert.deepEqual(entries, [
      { name: 'partner_suspended', reason: 'Unpaid invoices', actor_kind: 'staff' },
      { name: 'partner_resumed', reason: 'Invoices paid', actor_kind: 'staff' },
    ])
    assert.deepEqual(complaints, [])
  })

  test('a reader sees no actions, and the server refuses them', async ({
    assert,
    browserContext,
  }) => {
    const { partner } = await aSale()
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', pageOf(partner))
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.getByText('No confirms in 7 days').waitFor()
    for (const name of ['Suspend', 'Issue a key', 'Set the address', /^Change/, /^Revoke/])
      assert.equal(await page.getByRole('button', { name }).count(), 0)
    const status = await page.evaluate(
      async (path) => {
        const [, token] = /XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? []
        const headers = { 'X-XSRF-TOKEN': decodeURIComponent(token), 'X-Inertia': 'true' }
        const answer = await fetch(path, { method: 'POST', headers })
        return answer.status
      },
      `${pageOf(partner)}/keys`
    )
    assert.equal(status, 403)
    const keys = await rows('SELECT 1 FROM partner_keys WHERE partner_id = ?', partner.id)
    assert.lengthOf(keys, 1)

    await page.goto(`/back-office/grants?partner=${partner.code}`)
    await page.getByText('granted').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /^Choose all/ }).count(), 0)
    const missing = await page.goto('/back-office/partners/nobody')
    assert.equal(missing?.status(), 404)
  })
})

test.group('Grants', () => {
  test('a column of grants is given and one grant revoked after the consequences are counted', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const word = randomBytes(4).toString('hex')
    const title = (n: number) => ({ ru: `${word} ${n}`, kk: `${word} ${n}`, en: `${word} ${n}` })
    const soon = new Date(Date.now() + 864e5)
    const { partner, client, event } = await aSale({ event: { title: title(1), startsAt: soon } })
    const others = [await anEvent({ title: title(2) }), await anEvent({ title: title(3) })]
    await grant(partner, others[0], 'active')
    await grant(partner, others[0], 'revoked')
    const booking = dataOf(await book(client, event.id, ['seat-1-1']))
    await order(client, booking.booking_id)
    const page = await browserContext.newPage()
    await openAs(page, 'operations', `/back-office/grants?q=${word}&partner=${partner.code}`)
    await page.getByRole('button', { name: `Choose all events: ${partner.code}` }).click()
    await page.getByText('Chosen: 3').waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Give…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 grants will be given.').waitFor()
    await dialog.getByText(`Partner: ${partner.code}.`).waitFor()
    await dialog.getByText(/^Events: /).waitFor()
    await dialog.getByText('Unchanged: 1.').waitFor()
    await dialog.getByLabel('Reason').fill('The new season')
    await dialog.getByRole('button', { name: 'Give 2' }).dblclick()
    await page.getByText('2 grants given', { exact: true }).first().waitFor()
    const accesses = async () => {
      const found = await rows(
        'SELECT access FROM event_grants WHERE partner_id = ? ORDER BY event_id',
        partner.id
      )
      return found.map(({ access }) => access as string)
    }
    assert.deepEqual(await accesses(), ['active', 'active', 'active'])

    await page.getByRole('button', { name: `${word} 1, ${partner.code}: granted` }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await page.getByText('Chosen: 1').waitFor()
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await dialog.getByText('Orders in their payment window: 1.').waitFor()
    await dialog.getByText(new RegExp(`^Event: ${word} 1 \\(`)).waitFor()
    await assertAccessible(page, assert)
    await dialog.getByLabel('Reason').fill('The organiser asked')
    await dialog.getByRole('button', { name: 'Revoke 1' }).click()
    await page.getByText('1 grant revoked', { exact: true }).first().waitFor()
    assert.sameMembers(await accesses(), ['active', 'active', 'revoked'])
    assert.equal(await page.getByText(/^Chosen/).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('a filter whose request is lost reports that the list could not be loaded, until a retry succeeds', async ({
    browserContext,
  }) => {
    const word = randomBytes(4).toString('hex')
    const { partner } = await aSale({ event: { title: { ru: word, kk: word, en: word } } })
    const page = await browserContext.newPage()
    await openAs(page, 'operations', `/back-office/grants?q=${word}&partner=${partner.code}`)
    const cell = page.getByRole('button', { name: new RegExp(`^${word}, ${partner.code}`) })
    await cell.waitFor()
    await page.route('**/back-office/grants?*', (route) => route.abort())
    await page.getByRole('searchbox').fill(`${word} nobody`)
    await page.getByRole('alert').getByText('The list could not be loaded').waitFor()
    await cell.waitFor()
    await page.unroute('**/back-office/grants?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing found').waitFor()
    await page.getByText('The list could not be loaded').waitFor({ state: 'detached' })
  })
})
