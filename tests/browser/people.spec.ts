import PassSecondFactor from '#staff/pass_second_factor/pass_second_factor'
import { MOST_WRONG_CODES } from '#staff/second_factor'
import platform from '#config/platform'
import { codeOf, STEP_MS } from '#tests/support/authenticator'
import { aStaffMember, assertAccessible, signIn, watch } from '#tests/support/browser'
import { PageClient } from '#tests/support/page_client'
import { one, rows } from '#tests/support/rows'
import { setSecondFactor } from '#tests/support/second_factors'
import limiter from '@adonisjs/limiter/services/main'
import { test } from '@japa/runner'
import jsqrModule from 'jsqr'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright'

/** The package is the function itself, whatever its types say. */
const jsqr = jsqrModule as unknown as typeof jsqrModule.default

const GOOD = 'correct horse battery staple'

async function open(page: Page, person: { email: string; password: string }, path: string) {
  await signIn(page, person)
  await page.waitForURL('**/back-office')
  await page.goto(path)
}

/** What a phone would read from the page. */
async function readQr(page: Page) {
  const source = await page.getByAltText(/QR code/).getAttribute('src')
  const image = await loadImage(Buffer.from(source!.split(',')[1], 'base64'))
  image.width = 400
  image.height = 400
  const canvas = createCanvas(400, 400)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0, 400, 400)
  const { data } = context.getImageData(0, 0, 400, 400)
  return new URL(jsqr(new Uint8ClampedArray(data), 400, 400)!.data)
}

test.group('Staff', (group) => {
  group.each.setup(() => limiter.clear())
  group.each.setup(() => () => {
    platform.requiresSecondFactor = false
  })

  test('an administrator adds a person, who chooses a password and sets up a second factor', async ({
    assert,
    browser,
    browserContext,
  }) => {
    platform.requiresSecondFactor = false
    const complaints = watch(browserContext)
    const admin = await browserContext.newPage()
    await open(admin, await aStaffMember('admin'), '/back-office/staff')
    await assertAccessible(admin, assert)
    await admin.getByRole('link', { name: 'Add a person' }).click()
    await admin.getByRole('heading', { name: 'Add a person' }).waitFor()
    const email = `${randomUUID()}@staff.test`
    await admin.getByLabel('Name').fill('Aigerim')
    await admin.getByLabel('E-mail').fill('no e-mail')
    await admin.getByRole('combobox', { name: 'Role' }).click()
    await admin.getByRole('option', { name: 'Finance' }).click()
    await admin.getByRole('button', { name: 'Add' }).click()
    await admin.getByText('This is not an e-mail address.').waitFor()
    await assertAccessible(admin, assert)
    await admin.getByLabel('E-mail').fill(email)
    await admin.getByRole('button', { name: 'Add' }).click()
    await admin.getByText('Temporary password', { exact: true }).waitFor()
    await assertAccessible(admin, assert)
    const password = (await admin.locator('code').first().textContent())!
    await admin.reload()
    await admin.getByRole('heading', { name: 'Aigerim' }).waitFor()
    assert.equal(await admin.getByText(password).count(), 0)

    platform.requiresSecondFactor = true
    const elsewhere = await browser.newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const complaintsElsewhere = watch(elsewhere)
    const page = await elsewhere.newPage()
    await signIn(page, { email, password })
    await page.getByRole('heading', { name: 'Придумайте свой пароль' }).waitFor()
    await page.getByRole('button', { name: 'Язык' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await assertAccessible(page, assert)
    await page.getByLabel('Temporary password').fill(password)
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password is too short.').waitFor()
    await page.getByLabel('Temporary password').fill(password)
    await page.getByLabel('New password').fill(GOOD)
    await page.getByRole('button', { name: 'Change password' }).click()

    await page.getByRole('heading', { name: 'Connect your app' }).waitFor()
    await assertAccessible(page, assert)
    const uri = await readQr(page)
    assert.equal(uri.protocol, 'otpauth:')
    const secret = uri.searchParams.get('secret')!
    await page.getByLabel('Current password').fill(GOOD)
    await page.getByLabel('Code from the app').fill('000000')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByText('This code is not right.').waitFor()
    await page.getByLabel('Code from the app').fill(codeOf(secret))
    await page.getByRole('button', { name: 'Set up' }).click()

    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    await assertAccessible(page, assert)
    assert.equal(await page.getByRole('listitem').locator('code').count(), 10)
    await page.getByRole('button', { name: 'Codes saved' }).click()
    await page.getByText('On: signing in takes a code from your app.').waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual([...complaints, ...complaintsElsewhere], [])
    await elsewhere.close()
  })

  test('an administrator resets a second factor, and a password is enough again', async ({
    assert,
    browser,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const person = await aStaffMember('support')
    await setSecondFactor(person)
    const admin = await browserContext.newPage()
    await open(admin, await aStaffMember('admin'), `/back-office/staff?q=${person.email}`)
    await admin.getByRole('link', { name: 'The support' }).click()
    await admin.getByRole('button', { name: 'Reset second factor' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByText('The present phone and recovery codes stop working').waitFor()
    await assertAccessible(admin, assert)
    const submit = dialog.getByRole('button', { name: 'Reset second factor' })
    assert.isTrue(await submit.isDisabled())
    await dialog.getByRole('textbox').fill('Their phone was stolen')
    await submit.dblclick()
    await admin.getByText('Second factor reset').first().waitFor()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await admin.getByRole('button', { name: 'Reset second factor' }).count(), 0)
    const entries = await rows(
      `SELECT change FROM journal WHERE name = 'staff_second_factor_reset' AND change ->> 'email' = ?`,
      person.email
    )
    const { email } = person
    assert.deepEqual(entries, [{ change: { email, reason: 'Their phone was stolen' } }])

    const elsewhere = await browser.newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const page = await elsewhere.newPage()
    await open(page, person, '/back-office/account')
    await page.getByText('Off: a password is enough to sign in.').waitFor()
    assert.deepEqual(complaints, [])
    await elsewhere.close()
  })

  test('a role without the permission cannot reset a second factor', async ({
    assert,
    browserContext,
  }) => {
    const person = await aStaffMember('support')
    const { id } = await setSecondFactor(person)
    const page = await browserContext.newPage()
    await open(page, await aStaffMember('auditor'), `/back-office/staff/${id}`)
    await page.getByRole('heading', { name: 'The support' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Reset second factor' }).count(), 0)
    const status = await page.evaluate(async (path) => {
      const [, token] = /XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? []
      const headers = { 'X-XSRF-TOKEN': decodeURIComponent(token), 'X-Inertia': 'true' }
      const answer = await fetch(path, { method: 'DELETE', headers })
      return answer.status
    }, `/back-office/staff/${id}/second-factor`)
    assert.equal(status, 403)
    const { totp_secret_encrypted: secret } = await one('SELECT * FROM staff WHERE id = ?', id)
    assert.isNotNull(secret)
  })

  test('new recovery codes replace the old ones after the password is entered', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const person = await aStaffMember('support')
    const { id, nextCode } = await setSecondFactor(person)
    const codesOf = () =>
      rows('SELECT digest FROM staff_recovery_codes WHERE staff_id = ? ORDER BY digest', id)
    const old = await codesOf()
    const page = await browserContext.newPage()
    await signIn(page, person)
    await page.getByLabel('Code').fill(nextCode())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goto('/back-office/account')
    await page.getByRole('button', { name: 'New codes' }).click()
    const dialog = page.getByRole('dialog')
    const submit = dialog.getByRole('button', { name: 'New codes' })
    assert.isTrue(await submit.isDisabled())
    await dialog.getByLabel('Current password').fill('not my password')
    await submit.click()
    await dialog.getByText('The password is wrong.').waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(await codesOf(), old)

    await dialog.getByLabel('Current password').fill(person.password)
    await submit.click()
    await page.getByRole('heading', { name: 'Recovery codes', exact: true }).waitFor()
    const shown = await page.getByRole('listitem').locator('code').allTextContents()
    assert.lengthOf(new Set(shown), 10)
    const fresh = await codesOf()
    assert.lengthOf(fresh, 10)
    assert.notDeepEqual(fresh, old)
    await page.reload()
    await page.getByText('On: signing in takes a code from your app.').waitFor()
    assert.equal(await page.getByText(shown[0]).count(), 0)

    await browserContext.clearCookies()
    await signIn(page, person)
    await page.getByLabel('Code').fill(shown[0])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('signing in takes the code of the phone, and a wrong one is reported', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const person = await aStaffMember('support')
    const { secret } = await setSecondFactor(person)
    const page = await browserContext.newPage()
    await signIn(page, person)
    await page.getByRole('heading', { name: 'Confirmation code' }).waitFor()
    await assertAccessible(page, assert)
    await page.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is not right.').waitFor()
    await page.getByLabel('Code').fill(codeOf(secret, Date.now() + STEP_MS))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('an expired sign-in form says so and keeps the e-mail', async ({
    assert,
    browserContext,
  }) => {
    const person = await aStaffMember('support', 'en')
    const page = await browserContext.newPage()
    await page.goto('/back-office/sign-in')
    await page.fill('input[name=email]', person.email)
    await page.fill('input[name=password]', person.password)
    await browserContext.clearCookies()
    await page.click('button[type=submit]')
    await page.getByText('The page was open for too long.').waitFor()
    await assertAccessible(page, assert)
    assert.equal(await page.inputValue('input[name=email]'), person.email)
    await page.fill('input[name=password]', person.password)
    await page.click('button[type=submit]')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('a locked colleague is shown in the list and unlocked with a reason', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const person = await aStaffMember('gate')
    for (let tries = 0; tries < 10; tries++) {
      const address = tries < 8 ? '198.51.100.7' : '2001:db8:1:2::9'
      await new PageClient(address).signIn(person.email, 'not my password')
    }
    const page = await browserContext.newPage()
    await open(page, await aStaffMember('admin'), `/back-office/staff?q=${person.email}`)
    await page.getByText(/Blocked until .* Failures: 10, addresses: 2\./).waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: 'The gate' }).click()
    await page.getByText('Sign-in is blocked').waitFor()
    await page.getByText('2001:db8:1:2::/64').waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Unlock sign-in' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('They can try again at once').waitFor()
    await dialog.getByRole('textbox').fill('They called from the gate')
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Unlock sign-in' }).click()
    await page.getByText('Sign-in unlocked').first().waitFor()
    assert.equal(await page.getByText('Sign-in is blocked').count(), 0)

    const { location } = await new PageClient('198.51.100.7').signIn(person.email, person.password)
    assert.equal(location, '/back-office')
    await page.goto(`/back-office/journal?name=staff_sign_in_failed`)
    await page.getByText('Not signed in').filter({ visible: true }).first().waitFor()
    await page.getByText('198.51.100.7').filter({ visible: true }).first().waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a locked second factor is shown to the person and to an administrator', async ({
    assert,
    browserContext,
  }) => {
    const person = await aStaffMember('support')
    const { id, actor, nextCode } = await setSecondFactor(person)
    for (let tries = 0; tries < MOST_WRONG_CODES; tries++)
      await new PassSecondFactor().handle({ id, code: 'not-a-code', actor })
    const page = await browserContext.newPage()
    await signIn(page, person)
    await page.getByLabel('Code').fill(nextCode())
    await page.keyboard.press('Enter')
    await page.getByText('Ask an administrator to unlock your sign-in.').waitFor()
    await assertAccessible(page, assert)

    await open(page, await aStaffMember('admin'), `/back-office/staff/${id}`)
    await page.getByText(/Second factor locked since/).waitFor()
    await page.getByText('Wrong codes since the last correct one: 50 of 50.').waitFor()
    await page.getByRole('button', { name: 'Unlock sign-in' }).click()
    await page.getByRole('dialog').getByText('knew the password').waitFor()
    await assertAccessible(page, assert)
  })

  test('other sessions are ended at once', async ({ assert, browser, browserContext }) => {
    const complaints = watch(browserContext)
    const person = await aStaffMember('support')
    const elsewhere = await browser.newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const other = await elsewhere.newPage()
    await open(other, person, '/back-office/orders')
    await other.getByRole('heading', { name: 'Orders' }).waitFor()

    const page = await browserContext.newPage()
    await open(page, person, '/back-office')
    await page.getByRole('button', { name: 'The support' }).click()
    await page.getByRole('menuitem', { name: 'Sign-in and security' }).click()
    await page.getByText('This session').waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('1 session ended').first().waitFor()

    await other.goto('/back-office/orders')
    await other.waitForURL('**/back-office/sign-in')
    assert.deepEqual(complaints, [])
    await elsewhere.close()
  })

  test('a person is disabled with a reason, and nobody disables their own account', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const [admin, person] = [await aStaffMember('admin'), await aStaffMember('gate')]
    const page = await browserContext.newPage()
    await open(page, admin, `/back-office/staff?q=${person.email}`)
    await page.getByRole('link', { name: 'The gate' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('They are signed out everywhere at once').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByRole('textbox').fill('No longer with us')
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Staff member disabled').first().waitFor()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    // The person at the page is still signed in.
    await page.getByRole('button', { name: 'The admin' }).waitFor()

    await page.goto(`/back-office/staff?q=${admin.email}`)
    await page.getByRole('link', { name: 'The admin' }).click()
    await page.getByText('This is you.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Disable' }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('a reader sees people and permissions, and no actions', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await open(page, await aStaffMember('auditor'), '/back-office/staff')
    await page.getByRole('heading', { name: 'Staff' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Add a person' }).count(), 0)
    await page.getByRole('link', { name: 'Roles and rights' }).click()
    await page.getByRole('cell', { name: 'manage staff' }).waitFor()
    await assertAccessible(page, assert)
    const answer = await page.goto('/back-office/staff/new')
    assert.equal(answer?.status(), 403)
    assert.deepEqual(complaints, [])
  })
})
