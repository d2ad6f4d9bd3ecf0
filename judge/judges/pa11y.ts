import pa11y from 'pa11y'
import puppeteer from 'puppeteer'
import { Checks } from '../checks.ts'
import type { Judge } from '../types.ts'

const PHONE_WIDTH = 390
const DESKTOP_WIDTH = 1440

const VISITS: [path: string, width: number][] = [
  ['/?lang=ru', PHONE_WIDTH],
  ['/?lang=kk', DESKTOP_WIDTH],
  ['/?lang=en', DESKTOP_WIDTH],
  ['/docs', DESKTOP_WIDTH],
  ['/docs/guide', PHONE_WIDTH],
  ['/nowhere', DESKTOP_WIDTH],
  ['/back-office/sign-in', PHONE_WIDTH],
]
/** The staff's pages are rendered by scripts after the document has loaded. */
const DRAWN_AFTER_MS = 500
/** HTML_CodeSniffer takes no user name in a field for e-mail, which HTML allows and password managers look for. */
const EXEMPT = ['WCAG2AA.Principle1.Guideline1_3.1_3_5.H98']

const judge: Judge = {
  name: 'pa11y',
  about: 'pa11y with axe and HTML_CodeSniffer on public pages and the sign-in: WCAG 2.1 AA',
  needs: 'product',
  runs: 'meanwhile',
  async run({ appUrl, chromiumFile }) {
    const checks = new Checks()
    const browser = await puppeteer.launch({
      executablePath: chromiumFile,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    })
    for (const [path, width] of VISITS) {
      const { issues } = await pa11y(appUrl + path, {
        browser,
        standard: 'WCAG2AA',
        runners: ['axe', 'htmlcs'],
        ignore: EXEMPT,
        viewport: { width, height: 900 },
        wait: DRAWN_AFTER_MS,
        timeout: 60_000,
      })
      const errors = issues
        // Axe can't check elements outside of the window.
        .filter(({ runnerExtras }) => !runnerExtras?.needsFurtherReview)
        .map(({ runner, code, context }) => [runner, code, context.slice(0, 160)])
      const sentence = `${path} at ${width} px has ${errors.length} accessibility errors`
      checks.expect(errors.length === 0, sentence, errors.slice(0, 20))
    }
    await browser.close()
    return checks.verdict
  },
}

export default judge
