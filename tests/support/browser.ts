import type { Role } from '#staff/role'
import { statement } from '#shared/statement'
import hash from '@adonisjs/core/services/hash'
import type { Assert } from '@japa/assert'
import axe, { type RunOptions } from 'axe-core'
import { randomBytes } from 'node:crypto'
import { chromium, type BrowserContext, type LaunchOptions, type Page } from 'playwright'

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // No page lives long enough to earn what optimising its code costs.
  '--js-flags=--max-lazy,--no-opt,--no-maglev',
]

export const launchChromium = (options: LaunchOptions) =>
  chromium.launch({
    ...options,
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ARGUMENTS,
  })

/** What a page complained of or asked from elsewhere; a refused page is no complaint. */
export function watch(context: BrowserContext) {
  const complaints: string[] = []
  const refused = /status of 403/
  context.on('console', (message) => {
    if (message.type() === 'error' && !refused.test(message.text())) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    const isOurs = host === new URL(process.env.APP_URL!).host
    if (protocol.startsWith('http') && !isOurs) complaints.push(`asks ${request.url()}`)
  })
  return complaints
}

/** What is fading in or out has no colours of its own yet. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })

const ATTEMPTS = 3
/** Nothing is gathered of what is well, and style sheets are not fetched once more. */
const QUICK: RunOptions = { resultTypes: ['violations'], preload: false }

/** What begins to fade while it is looked at is looked at again: a message that leaves, on a busy machine. */
export async function assertAccessible(page: Page, assert: Assert) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    let problems = await findings(page, colorScheme)
    for (let attempt = 1; problems.length > 0 && attempt < ATTEMPTS; attempt++)
      problems = await findings(page, colorScheme)
    assert.deepEqual(problems, [], `${page.url()} in ${colorScheme}`)
  }
}

async function findings(page: Page, colorScheme: 'light' | 'dark') {
  await settled(page)
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  // Only colours depend on the theme.
  const options = colorScheme === 'dark' ? { ...QUICK, runOnly: ['color-contrast'] } : QUICK
  const { violations } = await page.evaluate((how) => axe.run(document, how), options)
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 160))])
}

const insertStaff = statement<
  object,
  { email: string; fullName: string; role: string; password: string; language: string }
>(
  'test_insert_staff',
  'INSERT INTO staff (email, full_name, role, password, language) VALUES (:email, :fullName, :role, :password, :language)'
)

export async function aStaffMember(role: Role, language = 'en') {
  const email = `${role}-${randomBytes(4).toString('hex')}@staff.test`
  const password = randomBytes(9).toString('base64url')
  await insertStaff({
    email,
    fullName: `The ${role}`,
    role,
    password: await hash.make(password),
    language,
  })
  return { email, password }
}

export async function signIn(page: Page, person: { email: string; password: string }) {
  await page.goto('/back-office/sign-in')
  await page.fill('input[name=email]', person.email)
  await page.fill('input[name=password]', person.password)
  await page.click('button[type=submit]')
}

/** The page as somebody of this role sees it, who has signed in without the form: the form has tests of its own. */
export async function openAs(page: Page, role: Role, path: string, language?: string) {
  const person = await aStaffMember(role, language)
  await page.request.get('/back-office/sign-in')
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')!
  await page.request.post('/back-office/sign-in', {
    data: person,
    headers: { 'X-XSRF-TOKEN': decodeURIComponent(token.value) },
    maxRedirects: 0,
  })
  await page.goto(path)
  return person
}

/** Presses `g` and a letter. Neither waits for the answer to the other: more than a second apart they are no sequence. */
export const goTo = (page: Page, letter: string) =>
  Promise.all(['g', letter].map((key) => page.keyboard.press(key)))
