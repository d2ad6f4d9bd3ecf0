import { readFileSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chromium, type Page } from 'playwright'
import { Shop } from '../judge/shop.ts'
import { sign } from '../judge/sign.ts'
import type { Product, Site } from '../judge/types.ts'
import { fillMonth, type Month } from '../tests/support/filled_month.ts'
import { log } from './output.ts'
import { root } from './paths.ts'
import { renderFirstSheet } from './sheet_picture.ts'

const DIRECTORY = join(root, 'docs/pictures')
const VIEWPORT = { width: 1280, height: 800 }
const MAX_BYTES = 200_000
const WAIT_MS = 120_000
const PARTNER = 'aurora'

/** Settings of the server: who settles with partners, as the workbook names it. */
export const PLATFORM = {
  PLATFORM_LEGAL_NAME: 'Ticket Platform LLP',
  PLATFORM_BIN: '170240054326',
}

/** The pictures of README.md: the live seat plan of the back office, and the first sheet of a settlement workbook. */
export async function takePictures(site: Site) {
  const month = await fillData(site)
  const shop = new Shop({ ...site, sign } satisfies Product)
  await sellSeats(shop, site.events.open)
  shop.close()

  await mkdir(DIRECTORY, { recursive: true })
  const browser = await chromium.launch({
    executablePath: site.chromiumFile,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  })
  try {
    const context = await browser.newContext({
      baseURL: site.appUrl,
      viewport: VIEWPORT,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      // The content policy forbids our font.
      bypassCSP: true,
    })
    context.setDefaultTimeout(WAIT_MS)
    const page = await context.newPage()
    await signIn(page, site.staff.admin)
    await takeSeatPlan(page, site.events.open)
    await takeWorkbook(page, await makeWorkbook(page, month, site.scratchDirectory))
  } finally {
    await browser.close()
  }
}

/** Last month of a partner, sold and ready to be closed, and staff who read English. */
async function fillData({ ownerDatabaseUrl }: Site) {
  const database = new pg.Client(ownerDatabaseUrl)
  await database.connect()
  try {
    const size = { partnerCode: PARTNER, prefix: 'AU', orders: 600, ticketsPerOrder: 2 }
    const month = await fillMonth(database, size)
    await database.query(`UPDATE partners SET name = 'Aurora Tickets' WHERE id = $1`, [
      month.partnerId,
    ])
    // Terms in force cannot be changed; these are as if they had been agreed with these names.
    await database.query('SET session_replication_role = replica')
    await database.query(
      `UPDATE settlement_terms SET legal_name = 'Aurora Tickets LLP', bin = '180540012343', contract_number = 'P-17',
              contract_date = '2026-01-15', set_by = 'finance' WHERE partner_id = $1`,
      [month.partnerId]
    )
    await database.query(`UPDATE staff SET language = 'en'`)
    return month
  } finally {
    await database.end()
  }
}

/** Sells about half of the hall in pairs, always the same ones; some pairs stay held by a booking or an order. */
async function sellSeats(shop: Shop, eventId: string) {
  const sectors = await shop.get(`/events/${eventId}/seats`)
  for (const { sector_id: sector } of sectors.json.data) {
    const { json } = await shop.get(`/events/${eventId}/seats?sector=${sector}`)
    const sellable = json.data.filter((seat: { is_sellable: boolean }) => seat.is_sellable)
    for (let index = 0; index + 1 < sellable.length; index += 2) {
      const draw = (index * 7_919 + sellable.length * 31) % 97
      if (draw < 58) await sellPair(shop, eventId, sellable.slice(index, index + 2), draw < 14)
    }
  }
}

async function sellPair(
  shop: Shop,
  eventId: string,
  pair: { space_id: string }[],
  isOnlyHeld: boolean
) {
  const booking = await shop.post('/bookings', {
    event_id: eventId,
    partner_booking_id: crypto.randomUUID(),
    seats: pair.map((seat) => seat.space_id),
  })
  if (isOnlyHeld) return
  const order = await shop.post('/orders', shop.orderBody(booking.json.data.booking_id))
  const { order_id: orderId, total_tenge: total } = order.json.data
  await shop.post(`/orders/${orderId}/confirm`, shop.confirmBody(total))
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/back-office/sign-in')
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await page.click('button[type=submit]')
  await page.waitForURL((url) => url.pathname === '/back-office')
}

async function takeSeatPlan(page: Page, eventId: string) {
  await page.goto(`/back-office/events/${eventId}/plan`)
  await page.addStyleTag({ content: `${FONTS} * { font-family: 'Golos Text' !important }` })
  await page.waitForFunction(() => document.fonts.status === 'loaded')
  // The plan is drawn once its seats are known.
  await page.locator('[data-count=sold]').filter({ hasText: /[1-9]/ }).waitFor()
  await delay(1_000)
  const { x, y, width, height } = (await page.locator('canvas').boundingBox())!
  // A sold seat in the middle of the stalls, whose order then shows.
  await page.mouse.click(x + width * 0.488, y + height * 0.486)
  await page.locator('a[href*="/orders/"]').first().waitFor()
  await page.mouse.move(x, y)
  await save(page, 'seat_plan')
}

/** Closes the month as finance does, and has a worker write the workbook of the statement. */
async function makeWorkbook(page: Page, { from, to }: Month, directory: string) {
  const period = { from: from.toISOString(), to: to.toISOString() }
  const account = `/back-office/settlement/${PARTNER}`
  await runToEnd(page, await post(page, `${account}/statements`, period))
  await page.goto(account)
  const href = await page.locator('a[href*="/statements/"]').first().getAttribute('href')
  const asked = { statementId: Number(href!.split('/').at(-1)), language: 'en', hasTwins: false }
  await runToEnd(page, await post(page, `${account}/workbooks`, asked))
  const download = page.waitForEvent('download')
  await page.locator('a[href*="/files/"]').first().click()
  const path = join(directory, 'workbook.xlsx')
  const file = await download
  await file.saveAs(path)
  return path
}

/** Sends a form of the back office; returns the page that it leads to. */
async function post(page: Page, path: string, data: object) {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')!
  const answer = await page.request.post(path, {
    data,
    headers: { 'X-XSRF-TOKEN': decodeURIComponent(token.value) },
    maxRedirects: 0,
  })
  return answer.headers().location
}

async function runToEnd(page: Page, location: string) {
  await page.goto(location)
  await page.getByText('Done', { exact: true }).first().waitFor()
}

async function takeWorkbook(page: Page, path: string) {
  const picture = await page.context().newPage()
  await picture.setContent(await renderFirstSheet(path, FONTS))
  await picture.waitForFunction(() => document.fonts.status === 'loaded')
  await save(picture, 'workbook')
}

async function save(page: Page, name: string) {
  const path = join(DIRECTORY, `${name}.png`)
  // Fonts and the last transition.
  await delay(1_000)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`)
  log(`${path} (${size} bytes)`)
}

/** The font of our tickets, so that the pictures look the same on every machine. */
const FONTS = (
  [
    [400, 'Regular'],
    [700, 'Bold'],
  ] as const
)
  .map(([weight, name]) => {
    const file = readFileSync(join(root, `resources/tickets/fonts/GolosText-${name}.ttf`))
    const source = `url(data:font/ttf;base64,${file.toString('base64')})`
    return `@font-face { font-family: 'Golos Text'; font-weight: ${weight}; src: ${source} }`
  })
  .join('\n')
