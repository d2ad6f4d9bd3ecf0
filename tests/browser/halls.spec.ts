import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { anEvent, smallHall } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'

const file = (name: string, mimeType: string, text: string) => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})

test.group('Halls', () => {
  test('a hall is loaded into a venue that is created with it', async ({
    assert,
    browserContext,
  }) => {
    await anEvent()
    const { planSvg, seatsCsv } = smallHall()
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/halls/new')
    await page.getByRole('combobox', { name: 'Venue' }).click()
    await page.getByRole('option', { name: 'A new venue…' }).click()
    await page.getByLabel('Name of the venue (Russian)').waitFor()
    await assertAccessible(page, assert)
    await page.getByLabel('Name (Russian)').fill('Большой зал')
    await page.getByLabel(/^Plan, SVG/).setInputFiles(file('plan.svg', 'image/svg+xml', planSvg))
    await page.getByLabel(/^Seats, CSV/).setInputFiles(file('seats.csv', 'text/csv', seatsCsv))
    await page.getByRole('button', { name: 'Check the files' }).click()
    const load = page.getByRole('button', { name: 'Load 60 seats' })
    await load.click()
    await page.getByText('Fill this in.').waitFor()
    const venue = `Дворец ${randomBytes(4).toString('hex')}`
    await page.getByLabel('Name of the venue (Russian)').fill(venue)
    await load.click()
    await page.getByRole('row').filter({ hasText: venue }).getByText('Большой зал').waitFor()
    const { n } = await one(
      `SELECT count(*)::int AS n FROM halls h JOIN venues v ON v.id = h.venue_id WHERE v.name = jsonb_build_object('ru', ?::text)`,
      venue
    )
    assert.equal(n, 1)
  })

  test('a hall is checked, corrected and loaded', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    await anEvent()
    const { planSvg, seatsCsv } = smallHall()
    const wrong = seatsCsv.replace('seat-1-1,', 'seat-1-2,').replaceAll(',fan', ',balcony')
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/events')
    await page.getByRole('link', { name: 'Halls' }).click()
    await page.getByRole('heading', { name: 'Halls' }).waitFor()
    await page.getByRole('link', { name: 'Open the plan' }).first().waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: 'Load a hall' }).click()
    await page.getByRole('heading', { name: 'Load a hall' }).waitFor()
    await page.getByRole('combobox', { name: 'Venue' }).click()
    await page.getByRole('option').first().click()
    const name = `Hall ${randomBytes(4).toString('hex')}`
    await page.getByLabel('Name (English)').fill(name)
    const check = page.getByRole('button', { name: 'Check the files' })
    assert.isTrue(await check.isDisabled())
    await page.getByLabel(/^Plan, SVG/).setInputFiles(file('plan.svg', 'image/svg+xml', planSvg))
    await page.getByLabel(/^Seats, CSV/).setInputFiles(file('seats.csv', 'text/csv', wrong))
    await check.click()
    await page
      .getByText('The hall cannot be loaded. Correct the files and check them again.')
      .waitFor()
    await page.getByText('the seat is in the list twice').waitFor()
    await page.getByText('Lines: 3', { exact: true }).waitFor()
    await page.getByText('× 10').waitFor()
    await assertAccessible(page, assert)
    assert.equal(await page.getByRole('button', { name: /^Load / }).count(), 0)

    await page.getByLabel(/^Seats, CSV/).setInputFiles(file('seats.csv', 'text/csv', seatsCsv))
    assert.equal(
      await page
        .getByText('The hall cannot be loaded. Correct the files and check them again.')
        .count(),
      0
    )
    await check.click()
    await page.getByText('The files are correct. Nothing has been saved yet.').waitFor()
    await assertAccessible(page, assert)
    const load = page.getByRole('button', { name: 'Load 60 seats' })
    await load.click()
    await page.getByText('Fill this in.').waitFor()
    await page.getByLabel('Name (Russian)').fill('Новый зал')
    await load.dblclick()
    await page.getByText('Hall loaded, 60 seats').first().waitFor()
    await page.getByRole('row').filter({ hasText: name }).waitFor()
    const { n } = await one(`SELECT count(*)::int AS n FROM halls WHERE name ->> 'en' = ?`, name)
    assert.equal(n, 1)
    assert.deepEqual(complaints, [])
  })

  test('a reader of events sees halls and cannot load any', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'finance', '/back-office/halls')
    await page.getByRole('heading', { name: 'Halls' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Load a hall' }).count(), 0)
    const answer = await page.goto('/back-office/halls/new')
    assert.equal(answer?.status(), 403)
  })
})
