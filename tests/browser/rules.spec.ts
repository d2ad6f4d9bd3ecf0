import ActivateRuleSet from '#defects/rule_sets/activate_rule_set'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { TESTER } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { aDifferingMonth, backToFirstRules } from '#tests/support/rule_sets'
import { performRuns } from '#tests/support/runs'
import { test } from '@japa/runner'

/** In another month than this one, whatever day it is. */
const BACK_DAYS = 32
const DAY_MS = 86_400_000
const HERE_MS = 5 * 3_600_000
const monthOf = (back: number) =>
  new Date(Date.now() + HERE_MS - back * DAY_MS).toISOString().slice(0, 7)

test.group('Rule sets', (group) => {
  group.each.teardown(() => backToFirstRules())

  test('a candidate is compared over a past month and activated', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { partner, early } = await aDifferingMonth(`-${BACK_DAYS} days`)
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/cases')
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    await page.getByRole('heading', { name: 'Version 2' }).waitFor()
    await page.getByText('Allowed difference between clocks: 5 s. Now: 2 s.').waitFor()
    await assertAccessible(page, assert)

    await page.getByRole('button', { name: 'Compare over past months' }).click()
    const dialog = page.getByRole('dialog')
    const submit = dialog.getByRole('button', { name: 'Compare over past months' })
    await dialog.getByLabel('First month').fill(monthOf(BACK_DAYS))
    await dialog.getByLabel('Last month').fill(monthOf(0))
    await submit.click()
    await dialog.getByText('This month is not over yet').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByLabel('Last month').fill(monthOf(BACK_DAYS))
    await dialog.getByLabel('Partner').click()
    await page.getByRole('option', { name: partner.code }).click()
    await submit.click()
    await page.waitForURL(/\/runs\/\d+$/)
    await performRuns()
    await page.getByText('Cases assessed differently: 1').waitFor()
    await page.getByRole('link', { name: `Order ${early}` }).waitFor()
    await assertAccessible(page, assert)

    await page.getByRole('link', { name: 'To the rules' }).click()
    await page.getByRole('button', { name: 'Activate' }).click()
    await dialog.getByText(/From the next check on/).waitFor()
    await dialog.getByLabel(/^Reason/).fill('Compared over a month')
    const go = dialog.getByRole('button', { name: 'Activate' })
    assert.isTrue(await go.isDisabled())
    await dialog.locator('[name=word]').fill('2')
    await assertAccessible(page, assert)
    await go.click()
    await page.getByText('Version 2 is active').first().waitFor()
    await page.getByRole('row').filter({ hasText: 'Compared over a month' }).first().waitFor()
    const { version } = await one(
      'SELECT version FROM settlement_rule_sets ORDER BY id DESC LIMIT 1'
    )
    assert.equal(version, 2)
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('an activation from a stale page is refused', async ({ browserContext }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/rules')
    await page.getByRole('button', { name: 'Activate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Reason/).fill('Compared over a month')
    await dialog.locator('[name=word]').fill('2')
    const reason = 'Раньше других'
    await new ActivateRuleSet().handle({ version: 2, from: 1, reason, actor: TESTER })
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await dialog.getByText(/Somebody else has changed this meanwhile/).waitFor()
  })

  test('an auditor reads rule sets and changes nothing', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', '/back-office/runs')
    await page.getByRole('link', { name: 'Rules', exact: true }).click()
    await page.getByRole('heading', { name: 'Version 2' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Activate' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Compare over past months' }).count(), 0)
  })
})
