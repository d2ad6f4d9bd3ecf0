import { openAs, watch } from '#tests/support/browser'
import { sell } from '#tests/support/fixtures'
import { aFilledOffice, type FilledOffice } from '#tests/support/filled_office'
import { one } from '#tests/support/rows'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import type { BrowserContext, Page } from 'playwright'

const BASE = '/back-office'

/** What a parameter names, by the folder that it stands in. */
async function subjectsOf(office: FilledOffice): Promise<Record<string, string>> {
  const { id } = await one('SELECT id FROM staff ORDER BY id LIMIT 1')
  return {
    orders: office.order,
    events: office.event,
    deliveries: office.delivery,
    partners: office.code,
    settlement: office.code,
    statements: office.statement,
    registers: office.register,
    cases: office.case,
    runs: office.run,
    staff: String(id),
  }
}

/** Not pages: files, JSON and streams. */
const NO_PAGE =
  /\.csv$|\/pdf$|\/files\/|\/plan\/|\/gate\/(events|list)|\/\*$|\/sign-in\/code|recovery-codes/

/** Every page that the route table has, with what it is about. */
async function pagesOf(office: FilledOffice) {
  const subjects = await subjectsOf(office)
  return Object.values(router.toJSON())
    .flat()
    .filter(({ methods, pattern }) => methods.includes('GET') && pattern.startsWith(BASE))
    .filter(({ pattern }) => !NO_PAGE.test(pattern))
    .map(({ pattern }) =>
      pattern.replaceAll(/\/([\w-]+)\/:\w+/g, (_, folder: string) => {
        if (!subjects[folder]) throw new Error(`Name something for ${pattern}`)
        return `/${folder}/${subjects[folder]}`
      })
    )
}

/** What the policy has refused, in the words of the browser. */
async function violationsIn(context: BrowserContext) {
  const violations: string[] = []
  await context.exposeFunction('noteViolation', (violation: string) => violations.push(violation))
  await context.addInitScript(`
    addEventListener('securitypolicyviolation', (event) => {
      noteViolation([event.effectiveDirective, event.blockedURI, event.sample, location.pathname].join(' '))
    })
  `)
  return violations
}

const settle = (page: Page) => page.waitForLoadState('networkidle')

test.group('The content policy', () => {
  test('the browser refuses nothing on any page of the back office', async ({
    assert,
    browserContext,
  }) => {
    const office = await aFilledOffice()
    await sell(office.partner.client, office.event, ['seat-1-3'])
    const violations = await violationsIn(browserContext)
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await openAs(page, 'admin', BASE)
    const pages = await pagesOf(office)
    assert.isAbove(pages.length, 35)
    for (const path of pages) {
      const answer = await page.goto(path)
      assert.include([200, 304], answer!.status(), path)
      await settle(page)
    }
    assert.deepEqual(violations, [])
    assert.deepEqual(complaints, [])
  }).timeout(300_000)

  test('nor what opens above a page: menus, choices, dialogs, the search of everything', async ({
    assert,
    browserContext,
  }) => {
    const { code } = await aFilledOffice()
    const violations = await violationsIn(browserContext)
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await openAs(page, 'admin', `${BASE}/partners/${code}`)
    await settle(page)
    await page.keyboard.press('/')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'The admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.keyboard.press('Escape')

    await page.goto(`${BASE}/cases`)
    await page.getByRole('combobox').first().click()
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${BASE}/orders`)
    await settle(page)
    assert.deepEqual(violations, [])
    assert.deepEqual(complaints, [])
  })

  test('nor on the public pages, and it does refuse what is not ours', async ({
    assert,
    browserContext,
  }) => {
    const violations = await violationsIn(browserContext)
    const page = await browserContext.newPage()
    for (const path of ['/', '/docs', '/docs/guide', '/nowhere', `${BASE}/sign-in`]) {
      await page.goto(path)
      await settle(page)
    }
    assert.deepEqual(violations, [])

    const inject = `
      const style = document.createElementNS('http://www.w3.org/1999/xhtml', 'style')
      style.textContent = 'body { color: red }'
      document.body.append(style)
      document.body.insertAdjacentHTML('beforeend', '<p style="color: red" onclick="alert(1)">x</p>')
      const script = document.createElement('script')
      script.textContent = 'window.injected = true'
      document.body.append(script)
    `
    await page.evaluate(inject)
    await page.waitForFunction('document.querySelector("p[onclick]")')
    assert.isUndefined(await page.evaluate('window.injected'))
    const directives = violations.map((violation) => violation.split(' ')[0])
    assert.includeMembers(directives, ['style-src-elem', 'style-src-attr', 'script-src-elem'])
  })
})
