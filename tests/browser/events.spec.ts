import platform from '#config/platform'
import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { changeStatus } from '#tests/support/circumstances'
import { aSale, anEvent, sell } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const pageOf = ({ id }: { id: string }) => `/back-office/events/${id}`
const statusOf = async (event: { id: string }) => {
  const { stored_status: status } = await eventRow(event)
  return status as string
}
const eventRow = ({ id }: { id: string }) => one('SELECT * FROM events WHERE id = ?', id)
const latest = ({ id }: { id: string }) =>
  one(
    'SELECT name, actor_kind, change FROM journal WHERE event_id = ? ORDER BY id DESC LIMIT 1',
    id
  )
const nextYear = new Date().getFullYear() + 1

test.group('Events', () => {
  test('the list is ordered by start and searched by a part of the title in any language', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const word = `Күз${Math.random().toString(36).slice(2, 8)}`
    const title = { ru: 'Осенний вечер', kk: `${word} кеші`, en: 'Autumn evening' }
    const { client, event } = await aSale({ event: { title } })
    await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', '/back-office/events')
    await page.getByRole('searchbox').fill(word.toLowerCase())
    const row = page.getByRole('row').filter({ hasText: 'Autumn evening' })
    await row.waitFor()
    await row.getByText('2 of 60').waitFor()
    await row.getByText(/90\s000\s₸/).waitFor()
    assert.equal(await page.getByRole('link', { name: 'New event' }).count(), 0)
    await page.getByRole('button', { name: 'Past' }).click()
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name: 'Look among all' }).click()
    await row.waitFor()
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('an event is created, with mistakes shown at their fields', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    await anEvent()
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/events/new')
    await page.getByRole('combobox', { name: 'Hall' }).click()
    await page.getByRole('option').first().click()
    await page.fill('[name=startsAt]', `${nextYear}-06-01T19:00`)
    await page.fill('[name=endsAt]', `${nextYear}-06-01T18:00`)
    await page.fill('[name="title.ru"]', 'Летний концерт')
    await page.fill('[name="title.kk"]', 'Жазғы концерт')
    await page.fill('[name="title.en"]', 'Summer concert')
    await page.getByRole('button', { name: 'Create event' }).click()
    await page.getByText('Fill this in').first().waitFor()
    await page.fill('[name="description.ru"]', 'Под открытым небом')
    await page.fill('[name="prices.vip"]', '45000')
    await page.getByRole('button', { name: 'Create event' }).click()
    await page.getByText('The end must be after the start.').first().waitFor()
    await assertAccessible(page, assert)
    await page.fill('[name=endsAt]', `${nextYear}-06-01T22:00`)
    await page.getByRole('button', { name: 'Create event' }).click()
    await page.getByRole('heading', { name: 'Summer concert' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const event = await eventRow({ id })
    assert.equal(event.starts_at.toISOString(), `${nextYear}-06-01T14:00:00.000Z`)
    assert.equal(event.price_from_tenge, 45_000n)
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('an editor of a stale form sees the other change and overwrites none of it', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const event = await anEvent()
    const [page, other] = [await browserContext.newPage(), await browserContext.newPage()]
    await openAs(page, 'operations', `${pageOf(event)}/edit`)
    await other.goto(`${pageOf(event)}/edit`)
    await other.fill('[name="title.en"]', 'Their title')
    await other.fill('[name="prices.fan"]', '8000')
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('heading', { name: 'Their title', exact: true }).waitFor()

    await page.fill('[name="title.kk"]', 'Менің атауым')
    await page.fill('[name="prices.fan"]', '7000')
    await page.getByRole('button', { name: 'Save' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this' })
    await notice.getByText('was “Concert”, now “Their title”').waitFor()
    await notice.getByText(/You typed “7\s000/).waitFor()
    await assertAccessible(page, assert)
    const { title: kept } = await eventRow(event)
    assert.equal(kept.kk, 'Концерт')
    await notice.getByRole('button').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Their title', exact: true }).waitFor()

    const { title, price_from_tenge: lowest } = await eventRow(event)
    assert.deepEqual(title, { ru: 'Концерт', kk: 'Менің атауым', en: 'Their title' })
    assert.equal(lowest, 5_000n)
    assert.deepEqual(complaints, [])
  })

  test('sales are paused and resumed with a reason, and a stale page is refused', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { event } = await aSale()
    const page = await browserContext.newPage()
    await openAs(page, 'operations', pageOf(event))
    const act = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/^Partners notified: 1;/).waitFor()
      await dialog.getByRole('textbox').fill('The hall asked for it')
      await dialog.getByRole('button', { name, exact: true }).click()
      return dialog
    }
    await act('Pause sales')
    await page.getByText('Sales are paused').first().waitFor()
    assert.equal(await statusOf(event), 'sales_paused')
    await act('Resume sales')
    await page.getByText('Sales are open').first().waitFor()
    assert.equal(await statusOf(event), 'sales_open')

    await changeStatus(event, 'close')
    const dialog = await act('Pause sales')
    await dialog.getByText('Somebody else has changed this').waitFor()
    assert.equal(await statusOf(event), 'sales_closed')
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('an event is rescheduled after its consequences are confirmed', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    const page = await browserContext.newPage()
    await openAs(page, 'operations', pageOf(event))
    await page.getByRole('button', { name: 'Reschedule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Tickets already sold stay valid: 1.').waitFor()
    await dialog.locator('[name=startsAt]').fill('2020-01-01T19:00')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The singer is ill')
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await dialog.getByText('The start must be in the future.').first().waitFor()
    await assertAccessible(page, assert)
    await dialog.locator('[name=startsAt]').fill(`${nextYear}-07-01T20:00`)
    await dialog.locator('[name=endsAt]').fill(`${nextYear}-07-01T23:00`)
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await page.getByText('Times changed').first().waitFor()
    const { name, change } = await latest(event)
    assert.equal(name, 'event_rescheduled')
    assert.equal(change.to, `${nextYear}-07-01T15:00:00.000Z`)
    await page.getByText('Event rescheduled').first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test('an event is cancelled after its title is typed and its consequences are confirmed', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    const page = await browserContext.newPage()
    await openAs(page, 'operations', pageOf(event))
    await page.getByRole('button', { name: 'Cancel event…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 tickets become void permanently.').waitFor()
    assert.equal(await dialog.getByText(/: 0\b/).count(), 0, 'what there is none of')
    await dialog.getByText(new RegExp(`${partner.code} returns 90.000.₸ to buyers`)).waitFor()
    await assertAccessible(page, assert)
    const submit = dialog.getByRole('button', { name: 'Cancel the event' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The singer is ill')
    assert.isTrue(await submit.isDisabled())
    await dialog.locator('[name=word]').fill('Concert')
    await submit.dblclick()
    await page.getByText('The event is cancelled, 2 tickets are void').first().waitFor()
    await page.getByText('The singer is ill').first().waitFor()
    const voided = await rows(
      `SELECT 1 FROM tickets WHERE event_id = ? AND status = 'void'`,
      event.id
    )
    assert.lengthOf(voided, 2)
    assert.equal(
      await page.getByRole('button', { name: /Cancel event|Reschedule|sales/ }).count(),
      0
    )
    assert.deepEqual(complaints, [])
  })

  test('a cancellation that needs two people waits until another person approves', async ({
    assert,
    browser,
    browserContext,
  }) => {
    platform.secondPerson = true
    const complaints = watch(browserContext)
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1'])
    const page = await browserContext.newPage()
    await openAs(page, 'operations', pageOf(event))
    await page.getByRole('button', { name: 'Cancel event…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('First a second person must approve it').waitFor()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The singer is ill')
    await dialog.locator('[name=word]').fill('Concert')
    await dialog.getByRole('button', { name: 'Ask to cancel' }).click()
    await page.getByText('Somebody else must approve it.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0)
    assert.equal(await statusOf(event), 'sales_open')
    await assertAccessible(page, assert)

    const otherContext = await browser.newContext({ baseURL: process.env.APP_URL, locale: 'en-GB' })
    const other = await otherContext.newPage()
    await openAs(other, 'operations', pageOf(event))
    await other.getByRole('button', { name: /^Approve/ }).click()
    const approval = other.getByRole('dialog')
    await approval.locator('[name=word]').fill('Concert')
    await approval.getByRole('button', { name: 'Cancel the event' }).click()
    await other.getByText('The event is cancelled, 1 ticket is void').first().waitFor()
    assert.equal(await statusOf(event), 'cancelled')
    await otherContext.close()
    assert.deepEqual(complaints, [])
  }).teardown(() => {
    platform.secondPerson = false
  })

  test('a reader sees no actions, and the server refuses them', async ({
    assert,
    browserContext,
  }) => {
    const { event } = await aSale()
    const page = await browserContext.newPage()
    await openAs(page, 'support', pageOf(event))
    await page.getByRole('heading', { name: 'History' }).waitFor()
    assert.equal(
      await page.getByRole('button', { name: /Cancel event|Reschedule|sales/ }).count(),
      0
    )
    const { cookies } = await page.context().storageState()
    const token = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')!.value)
    const answer = await page.request.post(`${pageOf(event)}/cancellation`, {
      data: { reason: 'No right to', asks: false },
      headers: { 'x-xsrf-token': token },
    })
    assert.equal(answer.status(), 403)
    assert.equal(await statusOf(event), 'sales_open')
  })

  test('a partner that has not read a change within five minutes is marked until it does', async ({
    assert,
    browserContext,
  }) => {
    const { client, event, partner } = await aSale()
    await ownerRows(
      `INSERT INTO journal (name, at, actor_kind, actor, event_id)
       VALUES ('event_edited', now() - interval '6 minutes', 'console', 'tests', ?)`,
      event.id
    )
    await ownerRows(
      `UPDATE event_grants SET created_at = now() - interval '1 day' WHERE event_id = ?`,
      event.id
    )
    const page = await browserContext.newPage()
    await openAs(page, 'auditor', pageOf(event))
    const line = page.getByRole('listitem').filter({ hasText: partner.code })
    await line.getByText('Has not known for over five minutes').waitFor()

    const { json } = await client.get('/events')
    await client.get(`/events?updated_since=${json.meta.cursor}`)
    await page.reload()
    await line.getByText('Knows', { exact: true }).waitFor()
    await line.getByText(/read in the feed:/).waitFor()
    await assertAccessible(page, assert)
  })
})
