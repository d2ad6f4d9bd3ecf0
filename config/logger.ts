import app from '@adonisjs/core/services/app'
import { defineConfig, targets } from '@adonisjs/core/logger'
import env from '#start/env'

/** For people and for tools that know no numbers of levels. The pretty lines of development are made from the numbers. */
const readable = {
  timestamp: 'iso',
  formatters: { level: (label: string) => ({ level: label }) },
} as const

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: true,
      name: 'ticket-partners',
      level: env.get('LOG_LEVEL') ?? 'info',
      // PostgreSQL writes the row that a constraint refused there, with the buyer in it.
      redact: { paths: ['err.detail', 'err.cause.detail'], remove: true },
      ...(app.inDev
        ? { transport: { targets: targets().push(targets.pretty()).toArray() } }
        : readable),
    },
  },
})
