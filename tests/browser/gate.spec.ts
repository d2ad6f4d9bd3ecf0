import { assertAccessible, openAs, watch } from '#tests/support/browser'
import { aSale, anEvent, sell, TESTER } from '#tests/support/fixtures'
import { postScan } from '#tests/functional/races/support/gates'
import { outcomeOf } from '#tests/functional/races/support/crowd'
import { ownerRows, rows } from '#tests/support/rows'
import { qrMatrix, QUIET_ZONE } from '#tickets/pdf/ticket_qr'
import AdmitTicket from '#tickets/admit_ticket/admit_ticket'
import CreateGateDevice from '#tickets/actions/create_gate_device'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import type { Page } from 'playwright'

const HOUR_MS = 3_600_000

/** An event that begins soon, so that it stands at the top of the choice, with sold seats. */
async function aSoonEvent(seats: string[]) {
  const title = `Gate ${randomBytes(4).toString('hex')}`
  const startsAt = new Date(Date.now() - HOUR_MS)
  const sale = await aSale({ event: { title: { ru: title, kk: title, en: title } } })
  const { tickets } = await sell(sale.client, sale.event.id, seats)
  await ownerRows(
    `UPDATE events SET starts_at = ?, ends_at = ? WHERE id = ?`,
    startsAt,
    new Date(Date.now() + 2 * HOUR_MS),
    sale.event.id
  )
  return { ...sale, title, tickets }
}

async function openGate(page: Page, title: string) {
  await openAs(page, 'gate', '/back-office/gate')
  await page.getByRole('heading', { name: 'Choose the event' }).waitFor()
  await page.getByLabel('Your post').fill('North door')
  await page.getByRole('button', { name: title }).click()
  await page.getByText(/^Inside/).waitFor()
}

interface SoldTicket {
  number: string
  check_code: string
}

async function verdictScreen(page: Page, verdict: string) {
  const screen = page.locator(`[data-verdict][data-code=${verdict}]`)
  await screen.waitFor()
  return screen
}

/** What a scanner that types has read. */
async function check(page: Page, token: string, verdict: string) {
  await page.getByLabel('Ticket number').fill(token)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  return verdictScreen(page, verdict)
}

/** A number and a check code, as somebody reads them from a ticket. */
async function type(page: Page, ticket: SoldTicket, verdict: string) {
  await page.getByLabel('Ticket number').fill(ticket.number)
  await page.getByLabel('Check code').fill(ticket.check_code)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  return verdictScreen(page, verdict)
}
async function next(page: Page) {
  await page.getByRole('button', { name: 'Next' }).click()
  // A phone has no pointer that stays over the button below.
  await page.mouse.move(0, 0)
}
const inside = (page: Page) => page.locator('[data-inside]').innerText()

/** A scan somewhere else. */
async function useElsewhere(eventId: string, token: string) {
  const [{ id }] = await ownerRows(
    `INSERT INTO staff (email, full_name, role, password) VALUES (?, 'Bolat', 'gate', 'x') RETURNING id`,
    `${randomUUID()}@staff.test`
  )
  return new AdmitTicket().handle({
    eventId,
    shown: { token },
    actor: TESTER,
    scanner: { name: 'South door', staffId: Number(id) },
    phone: { id: randomUUID(), offlineAt: null, refusedOffline: null },
  })
}

test.group('Gate', () => {
  test('a typed number with its check code admits once; a repeat shows time and gate of the first scan', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { tickets, title } = await aSoonEvent(['seat-1-1', 'seat-1-2'])
    const page = await browserContext.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await openGate(page, title)
    await assertAccessible(page, assert)

    await page.getByLabel('Ticket number').fill(tickets[0].number.toLowerCase())
    await page.getByLabel('Ticket number').press('Enter')
    const code = page.getByLabel('Check code')
    assert.isTrue(await code.evaluate((field) => field === document.activeElement))
    await page.getByRole('alert').getByText('below the QR code').waitFor()
    await assertAccessible(page, assert)
    await code.fill('AAAA')
    await code.press('Enter')
    const wrong = await verdictScreen(page, 'CHECK_CODE_WRONG')
    await wrong.getByText('Compare the number and the code').waitFor()
    await assertAccessible(page, assert)
    await next(page)
    assert.equal(await inside(page), '0')

    const small = {
      number: tickets[0].number.toLowerCase(),
      check_code: tickets[0].check_code.toLowerCase(),
    }
    const admitted = await type(page, small, 'admitted')
    await admitted.getByText('Row 1, seat 1').waitFor()
    await assertAccessible(page, assert)
    await next(page)
    assert.equal(await inside(page), '1')
    await page.getByText('of 2').waitFor()

    const used = await type(page, tickets[0], 'TICKET_ALREADY_USED')
    await used.getByText('North door').waitFor()
    await used.getByText(/^Passed: /).waitFor()
    await assertAccessible(page, assert)
    await next(page)
    const pasted = await check(page, tickets[1].qr_token, 'admitted')
    await pasted.getByText('Row 1, seat 2').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a void ticket, one for another event, an expired one and a foreign code have results of their own', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { tickets, title, client, event } = await aSoonEvent(['seat-1-1', 'seat-1-2'])
    const other = await aSoonEvent(['seat-1-1'])
    const [refunded] = await rows('SELECT order_id FROM tickets WHERE id = ?', tickets[0].ticket_id)
    await client.post(`/orders/${refunded.order_id}/refund`, {
      ticket_ids: [tickets[0].ticket_id],
      reason: 'ill',
    })
    const page = await browserContext.newPage()
    await openGate(page, title)

    const voided = await check(page, tickets[0].qr_token, 'TICKET_VOID')
    await voided.getByText('Refunded').waitFor()
    await next(page)
    const wrong = await type(page, other.tickets[0], 'TICKET_WRONG_EVENT')
    await wrong.getByText(`Ticket for “${other.title}”`).waitFor()
    await next(page)
    await check(page, 'https://example.com/ticket', 'QR_INVALID')
    await next(page)
    await ownerRows(
      `UPDATE events SET ends_at = now() - interval '1 second' WHERE id = ?`,
      event.id
    )
    await type(page, tickets[1], 'TICKET_EXPIRED')
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('an offline scan is verified by the phone and uploaded later; a conflict is shown', async ({
    assert,
    browserContext,
  }) => {
    const { tickets, title, event } = await aSoonEvent(['seat-1-1', 'seat-1-2', 'seat-1-3'])
    const [mine, taken, usedBefore] = tickets
    await useElsewhere(event.id, usedBefore.qr_token)
    const page = await browserContext.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await openGate(page, title)
    await browserContext.setOffline(true)

    const admitted = await check(page, mine.qr_token, 'admitted')
    await admitted.getByText('Offline').waitFor()
    await assertAccessible(page, assert)
    await next(page)
    await page.getByText('No network').waitFor()
    await check(page, mine.qr_token, 'TICKET_ALREADY_USED')
    await next(page)
    const first = await check(page, usedBefore.qr_token, 'TICKET_ALREADY_USED')
    await first.getByText('South door').waitFor()
    await next(page)
    const [header, claims] = taken.qr_token.split('.')
    await check(page, `${header}.${claims}.${'A'.repeat(86)}`, 'QR_INVALID')
    await next(page)
    await page.getByText('Offline, only the QR code can be checked').waitFor()
    await type(page, taken, 'NEEDS_NETWORK')
    await next(page)
    await check(page, taken.qr_token, 'admitted')
    await next(page)
    await page.getByText('Not sent: 5').waitFor()
    await assertAccessible(page, assert)
    const before = await rows('SELECT status FROM tickets WHERE id = ?', mine.ticket_id)
    assert.equal(before[0].status, 'active')

    await useElsewhere(event.id, taken.qr_token)
    await browserContext.setOffline(false)
    await page.getByRole('heading', { name: 'Admitted offline: 1' }).waitFor()
    const conflict = page.getByRole('region', { name: 'Admitted offline: 1' })
    await conflict.getByText(taken.number).waitFor()
    await conflict.getByText(/Already used · Passed: .* · South door/).waitFor()
    await assertAccessible(page, assert)

    const after = await rows(
      `SELECT status, used_gate FROM tickets WHERE event_id = ? ORDER BY number`,
      event.id
    )
    assert.deepEqual(
      after.map((row) => [row.status, row.used_gate]),
      [
        ['used', 'North door'],
        ['used', 'South door'],
        ['used', 'South door'],
      ]
    )
    const scans = await rows(
      `SELECT verdict, offline_at IS NOT NULL AS offline FROM ticket_scans WHERE event_id = ? ORDER BY id`,
      event.id
    )
    assert.equal(scans.filter(({ offline }) => offline).length, 5)
    await conflict.getByRole('button', { name: 'Seen, clear' }).click()
    await conflict.waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Not sent').count(), 0)
  })

  test('queued scans survive a reload', async ({ assert, browserContext }) => {
    const { tickets, title } = await aSoonEvent(['seat-1-1'])
    const page = await browserContext.newPage()
    await openGate(page, title)
    await page.route('**/gate/scans', (route) => route.abort())
    await check(page, tickets[0].qr_token, 'admitted')
    await next(page)
    await page.getByText('Not sent: 1').waitFor()
    await page.reload()
    await page.getByText('Not sent: 1').waitFor()
    await page.unroute('**/gate/scans')
    await page.getByText('Not sent: 1').waitFor({ state: 'detached' })
    const [stored] = await rows('SELECT status FROM tickets WHERE id = ?', tickets[0].ticket_id)
    assert.equal(stored.status, 'used')
  })

  test('a queued scan that the release before stored is sent under its present names', async ({
    assert,
    browserContext,
  }) => {
    const { tickets, title, event } = await aSoonEvent(['seat-1-1', 'seat-1-2'])
    const [refused, valid] = tickets
    const page = await browserContext.newPage()
    await openGate(page, title)
    await page.evaluate(keepScansOfEarlierRelease, [
      { eventId: event.id, token: valid.qr_token, told: null },
      { eventId: event.id, token: refused.qr_token, told: 'TICKET_VOID' },
    ])
    await page.reload()
    await page.getByText(/^Inside/).waitFor()
    await page.waitForFunction(() =>
      Object.keys(localStorage).every((name) => !name.startsWith('gate.waiting.'))
    )
    const scans = await rows(
      `SELECT verdict FROM ticket_scans WHERE event_id = ? ORDER BY id`,
      event.id
    )
    assert.deepEqual(
      scans.map(({ verdict }) => verdict),
      ['admitted', 'TICKET_VOID']
    )
  })

  test('a scan that the server rejects is set aside, and the queue goes on', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const { tickets, title, event } = await aSoonEvent(['seat-1-1', 'seat-1-2'])
    const page = await browserContext.newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    await openGate(page, title)
    const reports = '**/gate/scans'
    await page.route(reports, (route) => route.abort())
    await check(page, withNulInKeyId(tickets[0].qr_token), 'QR_INVALID')
    await next(page)
    await page.evaluate(keepUnreadableScan, event.id)
    await check(page, tickets[0].qr_token, 'admitted')
    await next(page)

    await page.unroute(reports)
    const list = page.getByRole('region', { name: 'Could not be sent: 1' })
    await list.getByText('Not readable').waitFor()
    await list.getByText(/^[0-9a-f-]{36}$/).waitFor()
    await page.getByText('Not sent').waitFor({ state: 'detached' })
    await assertAccessible(page, assert)
    const [stored] = await rows('SELECT status FROM tickets WHERE id = ?', tickets[0].ticket_id)
    assert.equal(stored.status, 'used')

    await page.reload()
    await list.getByRole('button', { name: 'Send again' }).click()
    await list.getByText('Not readable').waitFor()
    await check(page, tickets[1].qr_token, 'admitted')
    await next(page)
    await list.getByRole('button', { name: /^Discard: / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It is deleted from this phone and is not sent').waitFor()
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await list.getByRole('button', { name: /^Discard: / }).click()
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
    await list.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText(/^Inside/).waitFor()
    assert.equal(await page.getByText('Could not be sent').count(), 0)
    assert.deepEqual(
      complaints.filter((text) => !text.includes('ERR_FAILED')),
      []
    )
  })

  test('a batch that is refused is sent scan by scan; when every scan is refused, all stay queued', async ({
    assert,
    browserContext,
  }) => {
    const { tickets, title } = await aSoonEvent(['seat-1-1', 'seat-1-2', 'seat-1-3'])
    const page = await browserContext.newPage()
    await openGate(page, title)
    const reports = '**/gate/scans'
    await page.route(reports, (route) => route.fulfill({ status: 500, body: 'out of order' }))
    for (const { qr_token: token } of tickets) {
      await check(page, token, 'admitted')
      await next(page)
    }
    const refused = page.waitForResponse((answer) => answer.request().postData() === '{"scans":[]}')
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await refused
    await page.getByText('Not sent: 3').waitFor()
    assert.equal(await page.getByText('Could not be sent').count(), 0)

    await page.unroute(reports)
    await page.route(reports, (route) =>
      route.request().postData()!.includes(tickets[0].qr_token)
        ? route.fulfill({ status: 413, body: 'too large' })
        : route.fallback()
    )
    const list = page.getByRole('region', { name: 'Could not be sent: 1' })
    await list.getByText('Refused by the server · 413').waitFor()
    await list.getByText(tickets[0].number).waitFor()
    await page.getByText('Not sent').waitFor({ state: 'detached' })
    await page.unroute(reports)
    await list.getByRole('button', { name: 'Send again' }).click()
    await list.waitFor({ state: 'detached' })
    await page.getByText('Not sent').waitFor({ state: 'detached' })
    const used = await rows(
      `SELECT id FROM tickets WHERE status = 'used' AND id = ANY(?)`,
      tickets.map(({ ticket_id: id }: { ticket_id: string }) => id)
    )
    assert.lengthOf(used, 3)
  })

  test('a scan whose answer was lost is sent again without a conflict', async ({
    assert,
    browserContext,
  }) => {
    const { tickets, title } = await aSoonEvent(['seat-1-1'])
    const page = await browserContext.newPage()
    await openGate(page, title)
    await page.route('**/gate/scans', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const admitted = await check(page, tickets[0].qr_token, 'admitted')
    await admitted.getByText('Offline').waitFor()
    await next(page)
    await page.getByText('Not sent: 1').waitFor()
    await page.unroute('**/gate/scans')
    await page.getByText('Not sent: 1').waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Admitted offline').count(), 0)
  })

  test('the camera reads the QR code of a ticket', async ({ assert, browserContext }) => {
    const complaints = watch(browserContext)
    const { tickets, title } = await aSoonEvent(['seat-1-1'])
    const page = await browserContext.newPage()
    await page.addInitScript(showToCamera, picture(tickets[0].qr_token))
    await openGate(page, title)

    await page.getByRole('button', { name: 'Open the camera' }).click()

    const admitted = page.locator('[data-code=admitted]')
    await admitted.getByText(tickets[0].number).waitFor()
    await next(page)
    await page.waitForTimeout(1_000)
    assert.equal(
      await page.locator('[data-verdict]').count(),
      0,
      'still in view, not a second scan'
    )
    assert.deepEqual(complaints, [])
  })

  test('a phone whose session has ended says so', async ({ browserContext }) => {
    const { tickets, title } = await aSoonEvent(['seat-1-1'])
    const page = await browserContext.newPage()
    await openGate(page, title)
    await browserContext.clearCookies()
    await check(page, tickets[0].qr_token, 'admitted')
    await next(page)
    await page.getByText('You are signed out').waitFor()
    await page.getByText('Not sent: 1').waitFor()
  })
})

test.group('Gate devices', () => {
  test('a role without the permissions is refused', async ({ assert, browserContext }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'support', '/back-office')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    for (const path of ['gate', 'gate-devices', 'gate/lists/evt_1']) {
      const answer = await page.goto(`/back-office/${path}`)
      assert.equal(answer?.status(), 403, path)
    }
    const cookies = await browserContext.cookies(`${process.env.APP_URL}/back-office`)
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')!.value
    for (const path of ['gate/scans', 'gate-devices', 'gate-devices/1/revocations']) {
      const headers = { 'X-XSRF-TOKEN': decodeURIComponent(token) }
      const answer = await page.request.post(`/back-office/${path}`, { headers, data: {} })
      assert.equal(answer.status(), 403, path)
    }
  })

  test('a device is added and its key is shown once; a revoked key stops working', async ({
    assert,
    browserContext,
  }) => {
    const complaints = watch(browserContext)
    const event = await anEvent()
    const name = `Door ${randomBytes(4).toString('hex')}`
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/gate-devices')
    await page.getByRole('button', { name: 'Add a device' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(name)
    await assertAccessible(page, assert)
    await dialog.getByRole('button', { name: 'Add a device' }).click()

    const keyDialog = page.getByRole('dialog', { name: `Key of “${name}”` })
    const key = await keyDialog.locator('[data-name=key]').innerText()
    assert.match(key, /^gk_/)
    await assertAccessible(page, assert)
    const scan = async () =>
      outcomeOf(await postScan({ event_id: event.id, qr_token: 'x' }, { 'X-Gate-Key': key }))
    assert.equal(await scan(), '422 QR_INVALID')
    await keyDialog.getByRole('button', { name: 'Saved, close' }).click()
    await keyDialog.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText(name).waitFor()
    assert.notInclude(await page.content(), key)

    await page.getByRole('button', { name: `Revoke: ${name}` }).click()
    const asked = page.getByRole('dialog')
    await asked.getByRole('textbox').fill('Lost')
    await asked.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Device revoked').first().waitFor()
    assert.equal(await scan(), '401 INVALID_GATE_KEY')
    await assertAccessible(page, assert)
    assert.deepEqual(complaints, [])
  })

  test('a key that the browser does not copy is said not to be copied, in the page’s language', async ({
    assert,
    browserContext,
  }) => {
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/gate-devices', 'ru')
    await page.getByRole('button', { name: 'Добавить устройство' }).click()
    const dialog = page.getByRole('dialog')
    const send = dialog.getByRole('button', { name: 'Добавить устройство' })
    await dialog.getByRole('textbox').fill('A')
    await send.hover()
    await page.locator('[data-slot=text]').getByText('Название: не меньше 2 символов.').waitFor()
    await dialog.getByRole('textbox').fill(`Door ${randomBytes(4).toString('hex')}`)
    await send.click()
    const copy = dialog.getByRole('button', { name: 'Копировать' })
    await copy.waitFor()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
    })
    await copy.click()
    await page.getByText('Браузер не скопировал текст').first().waitFor()
    await page.getByText('Выделите его и скопируйте сами.').first().waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Скопировано' }).count(), 0)
    await assertAccessible(page, assert)

    // A page without HTTPS has no clipboard at all.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await copy.click()
    await page.getByText('Браузер не скопировал текст').nth(1).waitFor()
  })

  test('a name already in use is refused and stays in the form', async ({
    assert,
    browserContext,
  }) => {
    const name = `Door ${randomBytes(4).toString('hex')}`
    await new CreateGateDevice().handle({ name, actor: TESTER })
    const page = await browserContext.newPage()
    await openAs(page, 'operations', '/back-office/gate-devices')
    await page.getByRole('button', { name: 'Add a device' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(name)
    await dialog.getByRole('button', { name: 'Add a device' }).click()
    await dialog.getByText('This exists already.').waitFor()
    assert.equal(await dialog.getByRole('textbox').inputValue(), name)
  })
})

/** A token of ours whose key id holds what PostgreSQL does not store. */
function withNulInKeyId(token: string) {
  const [, claims, signature] = token.split('.')
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'a\0b', typ: 'JWT' }))
  return `${header.toString('base64url')}.${claims}.${signature}`
}

/** Runs in the page: stores scans as releases up to 0.2.0 did. */
function keepScansOfEarlierRelease(
  scans: { eventId: string; token: string; told: string | null }[]
) {
  for (const [at, scan] of scans.entries()) {
    const id = crypto.randomUUID()
    const offlineAt = new Date(Date.now() - 60_000 + at).toISOString()
    const verdict = { id, verdict: scan.told ?? 'admitted', number: null }
    const kept = { scan: { id, gate: null, offlineAt, ...scan }, verdict }
    localStorage.setItem(`gate.waiting.${id}`, JSON.stringify(kept))
  }
}

/** Runs in the page: stores a damaged scan as the oldest of the queue. */
function keepUnreadableScan(eventId: string) {
  const scan = {
    id: 'lost',
    eventId,
    gate: null,
    offlineAt: '2026-01-01T00:00:00.000Z',
    refusedOffline: null,
  }
  const verdict = { id: 'lost', verdict: 'admitted', number: null }
  localStorage.setItem('gate.waiting.lost', JSON.stringify({ scan, verdict }))
}

/** The QR code as a data URL, drawn large as a phone held before the camera. */
function picture(token: string) {
  const { size, isDark } = qrMatrix(token)
  const side = size + 2 * QUIET_ZONE
  const squares = Array.from({ length: size * size }, (_, index) => index)
    .filter((index) => isDark(Math.floor(index / size), index % size))
    .map((index) => {
      const [row, column] = [Math.floor(index / size), index % size]
      return `M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z`
    })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side * 6}" height="${side * 6}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${squares.join('')}"/></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

/** In the page: a camera that sees this picture. */
function showToCamera(url: string) {
  navigator.mediaDevices.getUserMedia = async () => {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = 1280
    canvas.height = 720
    const drawing = canvas.getContext('2d')!
    setInterval(() => {
      drawing.fillStyle = '#777'
      drawing.fillRect(0, 0, 1280, 720)
      drawing.drawImage(image, 330, 50, 620, 620)
    }, 60)
    return canvas.captureStream(20)
  }
}
