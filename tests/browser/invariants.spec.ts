import { INVARIANT_NAMES } from '#invariants/invariant_names'
import { assertAccessible, goTo, openAs, watch } from '#tests/support/browser'
import { aSale, book, order } from '#tests/support/fixtures'
import { ownerRows, rows } from '#tests/support/rows'
import { runJob } from '#worker/jobs'
import { test } from '@japa/runner'

const changeTotal = (orderId: string, by: number) =>
  ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
     UPDATE orders SET total_tenge = total_tenge + ? FROM free WHERE id = ?`,
    by,
    orderId
  )

/** Tests before this one may have left anything at all; only the order of this test is of interest. */
async function forgetRuns() {
  await ownerRows('TRUNCATE invariant_runs, invariant_states')
}

test.group('Invariants', (group) => {
  group.each.setup(forgetRuns)
  group.each.teardown(forgetRuns)

  test('a broken one comes first, with a link to the order, and is run again on request', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await goTo(page, 'v')
    await page.getByRole('heading', { name: 'Invariants', exact: true }).waitFor()
    await page.getByText('Not checked yet').first().waitFor()
    assert.equal(await page.getByText('Not checked yet').count(), INVARIANT_NAMES.length)
    await assertAccessible(page, assert)

    const { client, event } = await aSale()
    const { data: booking } = await book(client, event.id, ['seat-1-1'])
    const { data: placed } = await order(client, booking.booking_id)
    await changeTotal(placed.order_id, 1)
    await runJob('check_invariants', {})
    const card = page.locator('#order_totals_agree')
    const link = card.getByRole('link', { name: placed.order_id })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), `/back-office/orders/${placed.order_id}`)
    await card.getByText("the order's total is not that of its seats").first().waitFor()
    await card.locator('summary').click()
    await card.getByRole('table').waitFor()
    await assertAccessible(page, assert)

    await changeTotal(placed.order_id, -1)
    await card.getByRole('button', { name: 'Run now' }).click()
    await card.getByRole('paragraph').filter({ hasText: 'Waits for a full check' }).waitFor()
    await runJob('check_invariants', {})
    await card.getByText('Holds', { exact: true }).first().waitFor()
    assert.equal(await link.count(), 0)
    const [asked] = await rows(
      `SELECT actor_kind FROM journal WHERE name = 'invariant_run_asked' ORDER BY id DESC LIMIT 1`
    )
    assert.equal(asked.actor_kind, 'staff')
    assert.deepEqual(complaints, [])
  }).timeout(60_000)

  test('a broken one stands first on the overview; an auditor sees it and cannot run it', async ({
    assert,
    browserContext,
  }) => {
    await runJob('check_invariants', {})
    await ownerRows(
      `UPDATE invariant_states SET red_since = now() WHERE invariant = 'seat_sold_once'`
    )
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', '/back-office')
    const attention = page.getByRole('region', { name: 'Needs attention' })
    const first = attention.getByRole('listitem').filter({ hasText: 'Broken invariants' })
    await first.getByText('A seat is sold once').waitFor()
    await first.getByRole('link').click()
    await page.locator('#seat_sold_once').getByText('Broken', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Run now' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Run all' }).count(), 0)

    await page.setViewportSize({ width: 390, height: 844 })
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth
    )
    assert.isFalse(isWide)
    await page.emulateMedia({ colorScheme: 'dark' })
    await assertAccessible(page, assert)
  }).timeout(60_000)
})
