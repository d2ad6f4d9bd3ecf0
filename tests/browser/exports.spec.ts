import { openAs, watch } from '#tests/support/browser'
import { test } from '@japa/runner'

test.group('Exports', () => {
  test('each list is exported with its filters', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await openAs(page, 'admin', '/back-office')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    for (const [list, filters, name] of [
      ['journal', '?kind=staff', 'journal'],
      ['webhooks', '?status=failed', 'webhook_deliveries'],
      ['events', '?when=past', 'events'],
      ['partners', '?status=suspended', 'partners'],
      ['staff', '?role=gate', 'staff'],
    ]) {
      await page.goto(`/back-office/${list}${filters}`)
      const asked = page.waitForRequest((request) => request.url().includes('.csv'))
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export' }).click()
      const file = await download
      assert.match(file.suggestedFilename(), new RegExp(`^${name}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
      const request = await asked
      const { search, pathname } = new URL(request.url())
      assert.equal(pathname + search, `/back-office/${list}.csv${filters}`)
      assert.isNull(await file.failure())
    }
    assert.deepEqual(complaints, [])
  })
})
