import { assertAccessible, watch } from '#tests/support/browser'
import { test } from '@japa/runner'

test.group('Pages for partners', () => {
  test('the reference is searched by fields and errors, and its links work', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await page.goto('/docs')
    await page.getByRole('heading', { name: 'Partner Ticket-Sales API' }).waitFor()

    const contents = page.getByRole('navigation', { name: 'Contents' })
    await contents.getByRole('searchbox').fill('BOOKING_LIMIT')
    const found = await contents.getByRole('listitem').allTextContents()
    assert.deepEqual(
      found.map((text) => text.trim()),
      ['Hold seats POST']
    )
    await contents.getByRole('link', { name: 'Hold seats' }).click()
    assert.isTrue(await page.getByRole('heading', { name: 'Hold seats' }).isVisible())
    await contents.getByRole('searchbox').fill('no such word')
    await page.getByText('Nothing found').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('{$self} has no layout shift while it loads, wide or narrow')
    .with(['/', '/docs', '/docs/guide', '/back-office/sign-in'])
    .run(async ({ assert, browserContext }, path) => {
      await browserContext.addInitScript(`
        window.shift = 0
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) window.shift += value
        }).observe({ type: 'layout-shift', buffered: true })
      `)
      for (const width of [390, 1440]) {
        const page = await browserContext.newPage()
        await page.setViewportSize({ width, height: 844 })
        await page.goto(path, { waitUntil: 'networkidle' })
        const shift = await page.evaluate('window.shift')
        assert.isBelow(shift as number, 0.05, `${path} at ${width} px`)
      }
    })

  test('all content is readable without scripts', async ({ assert, browser }) => {
    const context = await browser.newContext({
      baseURL: process.env.APP_URL,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/docs/guide')
    assert.isTrue(await page.locator('#php').isVisible())
    assert.isTrue(await page.locator('#go').isVisible())
    assert.isTrue(await page.getByRole('link', { name: 'Certification' }).first().isVisible())
    assert.isFalse(await page.getByRole('tablist').isVisible())
    await context.close()
  })

  test('the sign-in loads no charts', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    const scripts: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.text())
    })
    await page.goto('/back-office/sign-in', { waitUntil: 'networkidle' })
    const loaded = await Promise.all(scripts)
    assert.isAbove(loaded.length, 3)
    assert.lengthOf(
      loaded.filter((script) => /zrender|echarts/.test(script)),
      0
    )
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

  test('a copy button copies the code next to it', async ({ assert, browserContext }) => {
    await browserContext.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await browserContext.newPage()
    await page.goto('/docs/guide')
    const code = page.locator('.code').first()

    await code.getByRole('button', { name: 'Copy' }).click()
    await code.getByRole('button', { name: 'Copied' }).waitFor()

    const copied = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(copied, await code.locator('code').textContent())
  })

  test('{$self}: every link to an anchor has its target, and ids are unique')
    .with(['/docs', '/docs/guide'])
    .run(async ({ assert, browserContext }, path) => {
      const page = await browserContext.newPage()
      await page.goto(path)

      const lost = await page.$$eval('a[href^="#"]', (links: HTMLAnchorElement[]) =>
        links
          .map(({ hash }) => decodeURIComponent(hash.slice(1)))
          .filter((id) => document.getElementById(id) === null)
      )

      assert.deepEqual(lost, [])
      const ids = await page.$$eval('[id]', (elements) => elements.map(({ id }) => id))
      assert.lengthOf(new Set(ids), ids.length)
    })

  test('the chosen theme is kept from page to page', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    await page.goto('/')

    await page.getByRole('button', { name: /as the system/ }).click()
    await page.goto('/docs/guide')

    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
  })

  test('{$self} is accessible')
    .with(['/', '/?lang=ru', '/?lang=kk', '/docs/guide', '/docs'])
    .run(async ({ assert, browserContext }, path) => {
      const page = await browserContext.newPage()
      await page.goto(path)
      await assertAccessible(page, assert)
    })
})
