import { aStaffMember, assertAccessible, signIn, watch } from '#tests/support/browser'
import { aSale, sell } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { performRuns } from '#tests/support/runs'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { listSheets } from '#spreadsheets/read_table'
import type { Role } from '#staff/role'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

async function open(page: Page, role: Role, path: string) {
  await signIn(page, await aStaffMember(role))
  await page.waitForURL((url) => !url.pathname.includes('sign-in'))
  await page.goto(path)
}

async function aBuyer() {
  const sale = await aSale()
  await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  return sale
}

test.group('Reports', () => {
  test('a workbook is asked for, waited for and downloaded; the same again is at hand', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await aBuyer()
    const page = await browserContext.newPage()
    await open(page, 'finance', `/back-office/settlement/${partner.code}`)
    const ask = async () => {
      await page.getByRole('button', { name: 'Export a period' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('First day').fill('2026-01-01')
      await dialog.getByLabel('Last day').fill('2026-12-31')
      await dialog.getByRole('checkbox', { name: 'CSV and JSON as well' }).check()
      await assertAccessible(page, assert)
      await dialog.getByRole('button', { name: 'Make it' }).click()
      await page.waitForURL(/\/runs\/\d+$/)
    }
    await ask()
    const asked = page.url()
    await page.getByText('Waits for its turn').waitFor()
    await assertAccessible(page, assert)
    await performRuns()
    await page.getByText('Closing balance').waitFor()
    await page
      .getByText(/^24\s000\s₸$/)
      .first()
      .waitFor()
    await assertAccessible(page, assert)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download: SETTLE_.*xlsx$/ }).click(),
    ])
    const sheets = await listSheets(await download.path())
    assert.include(sheets, 'Movements')
    const { n } = await one(
      `SELECT count(*)::int AS n FROM journal WHERE name = 'run_file_downloaded' AND partner_id = ?`,
      partner.id
    )
    assert.equal(n, 1)

    await page.goto(`/back-office/settlement/${partner.code}`)
    await ask()
    await page.getByText('There is such a report already').first().waitFor()
    assert.equal(page.url(), asked)
    assert.deepEqual(complaints, [])
  })

  test('one that is not wanted any more is cancelled; the list tells of all', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner } = await aBuyer()
    const page = await browserContext.newPage()
    await open(page, 'auditor', `/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Export a period' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Nothing of what was made is kept').waitFor()

    await page.goto(`/back-office/runs?partner=${partner.code}`)
    const line = page.getByRole('row').filter({ hasText: 'Settlement workbook' })
    await line.getByText('Cancelled').waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a range that ends before it begins is told beside its field', async ({
    browserContext,
  }) => {
    const { partner } = await aBuyer()
    const page = await browserContext.newPage()
    await open(page, 'finance', `/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Export a period' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('First day').fill('2026-03-02')
    await dialog.getByLabel('Last day').fill('2026-03-01')
    await dialog.getByRole('button', { name: 'Make it' }).click()
    await dialog.getByText('The last day is before the first').waitFor()
  })

  test('a period that cannot be closed yet is told why on the page of the run', async ({
    assert,
    browserContext,
  }) => {
    const { partner } = await aBuyer()
    await setTerms(partner)
    await moveInTime(partner, '-45 days')
    const page = await browserContext.newPage()
    await open(page, 'finance', `/back-office/settlement/${partner.code}`)
    await page.getByRole('button', { name: 'Issue the statement' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue the statement' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    // As if the page had been looked at under terms of another period.
    await one(
      `UPDATE settlement_runs SET params = params || '{"to": "2026-01-01T00:00:00.000Z"}' WHERE partner_id = ? RETURNING id`,
      partner.id
    )
    await performRuns()
    await page.getByText('It did not work out').waitFor()
    await page.getByText(/Somebody else has changed this meanwhile/).waitFor()
    await assertAccessible(page, assert)
  })
})
