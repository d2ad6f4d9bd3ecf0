import { aStaffMember, assertAccessible, signIn, watch } from '#tests/support/browser'
import { statement } from '#shared/statement'
import { test } from '@japa/runner'

const namesInJournal = statement<{ name: string }, { email: string }>(
  'test_names_in_journal',
  `SELECT name FROM journal WHERE actor_kind = 'staff' AND actor = :email ORDER BY id`
)

test.group('Back office', () => {
  test('a visitor without a session signs in and then sees the page that was asked for', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const person = await aStaffMember('admin')
    const page = await browserContext.newPage()

    await page.goto('/back-office')
    await page.waitForURL('**/back-office/sign-in')
    await signIn(page, person)
    await page.waitForURL('**/back-office')

    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('heading', { name: 'Next events' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a wrong password is reported and the e-mail stays in the form', async ({
    assert,
    browserContext,
  }) => {
    const person = await aStaffMember('support')
    const page = await browserContext.newPage()

    await signIn(page, { ...person, password: 'wrong' })

    await page.getByText('The e-mail or the password is wrong.').waitFor()
    assert.equal(await page.inputValue('input[name=email]'), person.email)
    assert.equal(await page.inputValue('input[name=password]'), '')
    assert.deepEqual(await namesInJournal({ email: person.email }), [])
  })

  test('an unknown e-mail gets the same answer as a wrong password', async ({ browserContext }) => {
    const page = await browserContext.newPage()
    await signIn(page, { email: 'nobody@staff.test', password: 'wrong' })
    await page.getByText('The e-mail or the password is wrong.').waitFor()
  })

  test('the ninth attempt for one e-mail has to wait', async ({ browserContext }) => {
    const person = await aStaffMember('finance')
    const page = await browserContext.newPage()
    for (let tries = 0; tries < 8; tries++) {
      await signIn(page, { ...person, password: 'wrong' })
      await page.getByText('The e-mail or the password is wrong.').waitFor()
    }

    await signIn(page, person)

    await page.getByText(/Too many attempts\. Try again in \d+ min\./).waitFor()
  })

  test('sign-in gives a new session, and sign-out ends it', async ({ assert, browserContext }) => {
    const person = await aStaffMember('operations')
    const page = await browserContext.newPage()
    const session = async () => {
      const cookies = await browserContext.cookies()
      return cookies.find(({ name }) => name === 'staff')?.value
    }

    await page.goto('/back-office/sign-in')
    const before = await session()
    await signIn(page, person)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.notEqual(await session(), before)

    await page.getByRole('button', { name: 'The operations' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/back-office/sign-in')
    await page.goto('/back-office')
    await page.waitForURL('**/back-office/sign-in')

    const names = await namesInJournal({ email: person.email })
    assert.deepEqual(
      names.map(({ name }) => name),
      ['staff_signed_in', 'staff_signed_out']
    )
  })

  test('a role without a permission sees which one is missing', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    await signIn(page, await aStaffMember('gate'))
    await page.getByRole('heading', { name: 'Gate' }).waitFor()
    const answer = await page.goto('/back-office/orders')

    await page.getByText('Missing right: “see orders”.').waitFor()

    assert.equal(answer?.status(), 403)
    await assertAccessible(page, assert)
  })

  test('the language stays with the person', async ({ browser, browserContext }) => {
    const person = await aStaffMember('auditor', 'ru')
    const page = await browserContext.newPage()
    await signIn(page, person)
    await page.getByRole('heading', { name: 'Обзор' }).waitFor()

    await page.getByRole('button', { name: 'The auditor' }).click()
    await page.getByRole('menuitem', { name: 'Язык' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Қазақша' }).click()
    await page.getByRole('heading', { name: 'Шолу' }).waitFor()

    const elsewhere = await browser.newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const later = await elsewhere.newPage()
    await signIn(later, person)
    await later.getByRole('heading', { name: 'Шолу' }).waitFor()
    await elsewhere.close()
  })

  test('a form without its token changes nothing', async ({ assert, browserContext }) => {
    const person = await aStaffMember('admin')
    const answer = await browserContext.request.post('/back-office/sign-in', {
      form: person,
      maxRedirects: 0,
    })
    assert.equal(answer.status(), 303)
    assert.deepEqual(await namesInJournal({ email: person.email }), [])
  })

  test('the sign-in page and the overview are accessible', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    await page.goto('/back-office/sign-in')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertAccessible(page, assert)

    await signIn(page, await aStaffMember('admin'))
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await assertAccessible(page, assert)
  })
})

test.group('Unknown pages', () => {
  for (const [locale, title, home] of [
    ['ru-RU', 'Страница не найдена', 'На главную'],
    ['kk-KZ', 'Бет табылмады', 'Басты бетке'],
    ['en-GB', 'Page not found', 'To the front page'],
  ]) {
    test(`are reported in the reader’s language, ${locale}`, async ({ assert, browser }) => {
      const context = await browser.newContext({ baseURL: process.env.APP_URL, locale })
      const page = await context.newPage()
      const answer = await page.goto('/no/such/page')
      assert.equal(answer!.status(), 404)
      await page.getByRole('heading', { name: title }).waitFor()
      await page.getByText(answer!.headers()['x-request-id']).waitFor()
      await assertAccessible(page, assert)
      await page.getByRole('link', { name: home }).click()
      await page.waitForURL((url) => url.pathname === '/')
      await context.close()
    })
  }

  test('keep the back office’s navigation for somebody signed in', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    await page.goto('/back-office/no/such/page')
    await page.waitForURL('**/back-office/sign-in')
    await signIn(page, await aStaffMember('auditor'))
    await page.getByText('There is nothing here.').waitFor()
    const answer = await page.reload()
    assert.equal(answer!.status(), 404)
    await page.getByRole('link', { name: 'Overview' }).first().waitFor()
  })
})
