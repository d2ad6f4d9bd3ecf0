import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { canInstallPackages, findProgram, installPackages } from './programs.ts'
import { StartUpError } from './start_up_error.ts'
import type { Supervisor } from './supervisor.ts'

/** Chromium without windows, tabs and toolbar: enough for tests, at two thirds of the CPU time. */
const SHELL = 'chromium-headless-shell'
const NAMES = [SHELL, 'chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Finds a Chromium for the browser tests: the one of CHROMIUM_PATH, an installed one, or a newly installed one. */
export async function findOrInstallChromium(supervisor: Supervisor) {
  const configured = process.env.CHROMIUM_PATH
  if (configured && !isBrowser(configured)) {
    throw new StartUpError(`CHROMIUM_PATH is ${configured}, which is not a working browser.`)
  }
  const browser = configured ?? (await findChromium()) ?? (await installChromium(supervisor))
  if (!browser) {
    throw new StartUpError(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell; elsewhere: npx playwright install --with-deps chromium) or set CHROMIUM_PATH.'
    )
  }
  return browser
}

async function findChromium() {
  const { chromium } = await import('playwright')
  const candidates = [...NAMES.map((name) => findProgram(name)), MAC, chromium.executablePath()]
  return candidates.find((path) => path !== undefined && isBrowser(path))
}

/** Installs from Debian, or else by Playwright: Ubuntu's package only refers to a snap. */
async function installChromium(supervisor: Supervisor) {
  if (canInstallPackages()) {
    await (isDebian() ? installPackages(supervisor, SHELL) : installByPlaywright(supervisor))
  }
  return findChromium()
}

function installByPlaywright(supervisor: Supervisor) {
  return supervisor.run({
    name: 'playwright',
    command: process.execPath,
    args: ['node_modules/playwright/cli.js', 'install', '--with-deps', 'chromium'],
    env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '' },
    output: 'lines',
  })
}

function isBrowser(path: string) {
  return existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0
}

function isDebian() {
  const file = '/etc/os-release'
  return existsSync(file) && /^ID=debian$/m.test(readFileSync(file, 'utf8'))
}
