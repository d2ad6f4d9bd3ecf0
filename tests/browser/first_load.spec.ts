import { aStaffMember, signIn } from '#tests/support/browser'
import { aSale, sell } from '#tests/support/fixtures'
import { test } from '@japa/runner'
import type { BrowserContext, Page, Request } from 'playwright'

const LIMIT_KB = 350

/** Somebody who is signed in, in a browser that has never seen the site. */
async function withColdCache(context: BrowserContext): Promise<BrowserContext> {
  const page = await context.newPage()
  await signIn(page, await aStaffMember('admin'))
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const storageState = await context.storageState()
  return context.browser()!.newContext({ storageState, baseURL: process.env.APP_URL })
}

/** Charts are fetched once the page can be used. */
const isChart = (script: string) => script.includes('echarts_instance_')

/** What the scripts of a page weigh as they come over the network, in kB. */
async function scriptsOf(page: Page, path: string, isThere: () => Promise<void>) {
  const answers: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) answers.push(weightOf(request))
  })
  await page.goto(path)
  await isThere()
  await page.waitForLoadState('networkidle')
  const bytes = await Promise.all(answers)
  return { files: bytes.length, kB: bytes.reduce((sum, one) => sum + one, 0) / 1000 }
}

async function weightOf(request: Request): Promise<number> {
  const response = await request.response()
  if (isChart(await response!.text())) return 0
  const { responseBodySize } = await request.sizes()
  return responseBodySize
}

test.group('First load', () => {
  test(`the overview brings no more than ${LIMIT_KB} kB of JavaScript`, async ({
    assert,
    browserContext,
  }) => {
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    const cold = await withColdCache(browserContext)
    const page = await cold.newPage()
    const { files, kB } = await scriptsOf(page, '/back-office', async () => {
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.locator('svg text').filter({ hasText: 'A week ago' }).waitFor()
    })
    assert.isAbove(files, 3)
    assert.isBelow(kB, LIMIT_KB)
    await cold.close()
  })

  test(`the orders bring no more than ${LIMIT_KB} kB of JavaScript`, async ({
    assert,
    browserContext,
  }) => {
    const cold = await withColdCache(browserContext)
    const page = await cold.newPage()
    const { files, kB } = await scriptsOf(page, '/back-office/orders', async () => {
      await page.getByRole('heading', { name: 'Orders' }).waitFor()
    })
    assert.isAbove(files, 3)
    assert.isBelow(kB, LIMIT_KB)
    await cold.close()
  })
})
