import app from '@adonisjs/core/services/app'
import { createNodeServer } from '#http/node_server'
import testUtils from '@adonisjs/core/services/test_utils'
import { launchChromium } from '#tests/support/browser'
import { assert } from '@japa/assert'
import { browserClient } from '@japa/browser-client'
import { pluginAdonisJS } from '@japa/plugin-adonisjs'
import type { Config } from '@japa/runner/types'

export const plugins: Config['plugins'] = [
  assert(),
  pluginAdonisJS(app),
  browserClient({
    runInSuites: ['browser'],
    launcher: launchChromium,
    contextOptions: { baseURL: process.env.APP_URL, locale: 'en-GB' },
  }),
]

type Close = () => void | Promise<void>

/** One server for all suites: a client would meet the closed connections of an earlier one. */
let server: Promise<Close> | undefined

export const runnerHooks: Required<Pick<Config, 'setup' | 'teardown'>> = {
  // Rows are never emptied between tests (the journal refuses it): each test makes its own partner and event.
  setup: process.env.IS_MIGRATED ? [] : [() => testUtils.db('owner').migrate()],
  teardown: [async () => (await server)?.()],
}

const SERVED = ['functional', 'contract', 'browser']

export const configureSuite: Config['configureSuite'] = (suite) => {
  if (!SERVED.includes(suite.name)) return
  suite.setup(async () => {
    server ??= testUtils.httpServer().start(createNodeServer)
    await server
  })
}
