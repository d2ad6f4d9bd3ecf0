import { assertAccessible, watch } from '#tests/support/browser'
import { test } from '@japa/runner'

test.group('Pages for partners', () => {
  test('the reference draws every operation and asks nobody else', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()

    await page.goto('/docs')
    await page.getByRole('heading', { name: 'Partner Ticket-Sales API' }).waitFor()
    await page.getByRole('link', { name: 'Hold seats' }).first().waitFor()

    assert.deepEqual(complaints, [])
  })

  test('the guide shows one program at a time, and a link selects its own', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()

    await page.goto('/docs/guide#php')
    await page.getByRole('tab', { name: 'PHP', exact: true, selected: true }).waitFor()
    assert.isTrue(await page.locator('#php').isVisible())
    assert.isFalse(await page.locator('#bash').isVisible())

    await page.getByRole('tab', { name: 'Go', exact: true }).click()
    assert.isTrue(await page.locator('#go').isVisible())
    assert.deepEqual(complaints, [])
  })

  test('a copy button copies the code beside it', async ({ assert, browserContext }) => {
    await browserContext.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await browserContext.newPage()
    await page.goto('/docs/guide')
    const code = page.locator('.code').first()

    await code.getByRole('button', { name: 'Copy' }).click()
    await code.getByRole('button', { name: 'Copied' }).waitFor()

    const copied = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(copied, await code.locator('code').textContent())
  })

  test('every anchor of the guide leads somewhere', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    await page.goto('/docs/guide')

    const lost = await page.$$eval('a[href^="#"]', (links: HTMLAnchorElement[]) =>
      links
        .map(({ hash }) => decodeURIComponent(hash.slice(1)))
        .filter((id) => document.getElementById(id) === null)
    )

    assert.deepEqual(lost, [])
  })

  test('the chosen theme outlives the page', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    await page.goto('/')

    await page.getByRole('button', { name: /as the system/ }).click()
    await page.goto('/docs/guide')

    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  })

  test('{$self} is readable for everybody')
    .with(['/', '/?lang=ru', '/?lang=kk', '/docs/guide', '/docs'])
    .run(async ({ assert, browserContext }, path) => {
      const page = await browserContext.newPage()
      await page.goto(path)
      if (path === '/docs') await page.getByRole('link', { name: 'Hold seats' }).first().waitFor()
      await assertAccessible(page, assert)
    })
})
