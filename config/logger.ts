import app from '@adonisjs/core/services/app'
import { defineConfig, targets } from '@adonisjs/core/logger'
import env from '#start/env'

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: true,
      name: 'ticket-partners',
      level: env.get('LOG_LEVEL') ?? 'info',
      // PostgreSQL writes the row that a constraint refused there, with the buyer in it.
      redact: { paths: ['err.detail', 'err.cause.detail'], remove: true },
      transport: app.inDev ? { targets: targets().push(targets.pretty()).toArray() } : undefined,
    },
  },
})
